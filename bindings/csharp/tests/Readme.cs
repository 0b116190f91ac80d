using System;
using System.IO;
using Pontil;
public static class Readme {
  public static int Main(string[] args) { // usage: Readme model.safetensors network.json
    try {
      var importer = new Importer { Network = Description.Parse(File.ReadAllText(args[1])) };
      using (Network network = importer.Read(args[0])) using (Session session = network.NewSession()) {
        var x = new float[network.Inputs[0].Shape[1]];
        for (int i = 0; i < x.Length; i++) x[i] = 1;
        var y = new float[network.Outputs[0].Shape[1]];
        session.Run(x, y);
        Console.WriteLine(y[0]);
        return 0;
      }
    } catch (SlotLoadException refused) { // all that is wrong
      foreach (Fault fault in refused.Faults) Console.WriteLine(fault.Path + ": " + fault.Message);
      return 1;
    } } }
