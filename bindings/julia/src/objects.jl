# The library's objects: freed once by `close` or the collector, in any order.

abstract type Object end

macro object(name, free)
    quote
        mutable struct $(esc(name)) <: Object
            raw::Ptr{Cvoid}
            function $(esc(name))(raw::Ptr{Cvoid})
                object = new(raw)
                finalizer(close, object)
                return object
            end
        end
        $(esc(:free))(::Type{$(esc(name))}, raw) = $(esc(free))(raw)
    end
end

Base.close(object::Object) = release(object)

# What the collector calls, which must not throw: an object that one task has at a time is nobody's then.
function release(object::T) where {T<:Object}
    raw = object.raw
    raw == C_NULL && return nothing
    object.raw = C_NULL
    free(T, raw)
    return nothing
end

Base.isopen(object::Object) = object.raw != C_NULL

function Base.unsafe_convert(::Type{Ptr{Cvoid}}, object::Object)
    object.raw == C_NULL && throw(ArgumentError("this $(nameof(typeof(object))) was closed"))
    return object.raw
end

# Lets one task in at a time: who comes second is told so.
function alone(call, busy, what)
    Threads.atomic_cas!(busy, false, true) && error("the $what is in use by another task: each has one of its own")
    try
        return call()
    finally
        busy[] = false
    end
end

@object Context pon_context_free
@object Cancel pon_cancel_free
@object Tensor pon_tensor_free
@object Params pon_params_free
@object Layout pon_layout_free
@object Description pon_description_free
@object SourceHandle pon_source_free
@object Import pon_import_free
@object DatasetHandle pon_dataset_free
@object EvaluationHandle pon_evaluation_free

"A flag that any task may raise to end a running call: `Cancel()`, `raise!(cancel)`, `reset!(cancel)`."
function Cancel()
    out = Ref{Ptr{Cvoid}}(C_NULL)
    demand(pon_cancel_new(out))
    return Cancel(out[])
end
raise!(cancel::Cancel) = pon_cancel_raise(cancel)
reset!(cancel::Cancel) = pon_cancel_reset(cancel)

# Objects that the library still reads, until it says that it does not. Finalizers must not wait for a lock: they only mark.
mutable struct Keeper
    kept::Any
    done::Bool
end
const KEPT = Keeper[]
const KEEPING = ReentrantLock()

function keep(object)
    keeper = Keeper(object, false)
    lock(KEEPING) do
        filter!(one -> !one.done, KEPT)
        push!(KEPT, keeper)
    end
    return keeper
end

function dropped(userdata::Ptr{Cvoid})::Cvoid
    (unsafe_pointer_to_objref(userdata)::Keeper).done = true
    return nothing
end

drop_call() = @cfunction(dropped, Cvoid, (Ptr{Cvoid},))
