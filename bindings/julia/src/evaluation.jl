# Networks in Mocha's words evaluated whole: losses, statistics, every blob on the way.

"""
    Evaluation(network, file = nothing; double = false, seed = 0)

A network in Mocha's words, as JSON, with the numbers of a file. `run!(evaluation; data = x, label = y)` runs every layer once, the examples
along the last axis, and gives the total of the losses; `losses`, `statistics` and `blob(evaluation, name)` tell what it left,
`draw!(evaluation, layer, numbers)` gives a layer that draws its numbers for the next run, `reset!` begins the statistics anew,
`write_outputs` writes the files of output layers. One task at a time.
"""
struct Evaluation
    handle::EvaluationHandle
    busy::Threads.Atomic{Bool}
    Evaluation(handle::EvaluationHandle) = new(handle, Threads.Atomic{Bool}(false))
end

function Evaluation(network, file = nothing; double = false, seed = 0)
    words = network isa Description ? network : parse_description(network)
    options = Ref(filled(pon_evaluation_options; dtype = double ? PON_DTYPE_F64 : PON_DTYPE_F32, seed = seed))
    with_numbers(opening) = Evaluation(made(EvaluationHandle) do out, list
        pon_evaluation_new(default_context(), words, opening, options, out, list)
    end)
    return file === nothing ? with_numbers(C_NULL) : opened(with_numbers, file)
end

alone(call, evaluation::Evaluation) = alone(call, evaluation.busy, "evaluation")

Base.close(evaluation::Evaluation) = alone(() -> close(evaluation.handle), evaluation)

"    draw!(evaluation, layer, numbers)"
function draw!(evaluation::Evaluation, layer::AbstractString, numbers)
    drawn = Vector{Float64}(numbers)
    name = String(layer)
    alone(() -> demand(pon_evaluation_draw(evaluation.handle, name, sizeof(name), drawn, length(drawn))), evaluation)
    return evaluation
end

"    run!(evaluation; blobs...)"
function run!(evaluation::Evaluation; blobs...)
    names, loss = String[string(name) for name in keys(blobs)], Ref(0.0)
    viewed(Tuple(values(values(blobs)))) do views
        raw = pon_blob[pon_blob(lent(name), view) for (name, view) in zip(names, views)]
        run(list) = pon_evaluation_run(evaluation.handle, raw, length(raw), loss, list)
        GC.@preserve names alone(() -> heard(run), evaluation)
    end
    return loss[]
end

function figures(evaluation::Evaluation, kind)
    all = alone(evaluation) do
        map(1:pon_evaluation_figures(evaluation.handle)) do at
            raw = Ref(filled(pon_figure))
            demand(pon_evaluation_figure(evaluation.handle, at - 1, raw))
            name = GC.@preserve evaluation string_of(raw[].name)
            (kind = raw[].kind, name = name, value = raw[].value, count = Int(raw[].count))
        end
    end
    return filter(one -> one.kind == kind, all)
end

"The losses of the last run by the names of their layers."
losses(evaluation::Evaluation) = [one.name => one.value for one in figures(evaluation, PON_FIGURE_LOSS)]

"The running means: name, value and over how many."
statistics(evaluation::Evaluation) =
    [(name = one.name, value = one.value, count = one.count) for one in figures(evaluation, PON_FIGURE_STATISTIC)]

"A copy of a blob of the last run."
function blob(evaluation::Evaluation, name::AbstractString)
    view, text = Ref{pon_view}(), String(name)
    return alone(evaluation) do
        demand(pon_evaluation_blob(evaluation.handle, text, sizeof(text), view))
        GC.@preserve evaluation array_of(view[])
    end
end

"Begins statistics anew and forgets what output layers have kept."
reset!(evaluation::Evaluation) = (alone(() -> demand(pon_evaluation_reset(evaluation.handle)), evaluation); evaluation)

"Writes the files of the HDF5 output layers."
write_outputs(evaluation::Evaluation) = alone(() -> heard(list -> pon_evaluation_write(evaluation.handle, list)), evaluation)
