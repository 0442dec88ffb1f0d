import Foundation
import TestSupport
import Testing

@Suite("Batches of many calls", .timed) struct BatchCommandTests {
  @Test("Each subfolder is a job; the repeated command finds all jobs done")
  func folder() throws {
    let calls = try BatchFolder(calls: 2)
    let words = [
      "--output", calls.path("{name}.mp4"), "--results", calls.path("results.jsonl"),
      "--report-dir", calls.path("reports"), "--metrics", calls.path("batch.prom"),
    ]
    let result = try calls.run(calls.path("calls"), words)
    #expect(result.status == 0, "\(result)")
    #expect(result.text.contains("finished    2"))
    #expect(try Probed(calls.path("1.mp4")).video?.width == 64)
    #expect(FileManager.default.fileExists(atPath: calls.path("reports/2.json")))
    let lines = try calls.results()
    #expect(lines.count == 2 && lines.allSatisfy { $0["exit"] as? Int == 0 })
    for stage in ["planning", "pictures", "sound", "joining"] {
      #expect(lines.allSatisfy { ($0["cpu"] as? [String: Double])?[stage] ?? 0 > 0 }, "\(stage)")
    }
    let metrics = try String(contentsOfFile: calls.path("batch.prom"), encoding: .utf8)
    #expect(metrics.contains("tessera_batch_jobs_ended_total{how=\"finished\"} 2\n"))
    #expect(metrics.contains("# TYPE tessera_batch_call_seconds_total counter\n"))

    let again = try calls.run(calls.path("calls"), words)
    #expect(again.status == 0 && again.text.contains("done before 2"), "\(again)")
    #expect(try calls.results().count == 2)
  }

  @Test(
    "Outputs among the calls are not inputs of the next batch",
    arguments: [
      ("calls/out/{name}.mp4", "calls/out is skipped, as it contains outputs of this batch."),
      ("calls/{name}/{name}.mp4", ""),
    ])
  func outputsAmongCalls(template: String, note: String) throws {
    let calls = try BatchFolder(calls: 2)
    let words = ["--output", calls.path(template), "--report-dir", calls.path("calls/reports")]
    let first = try calls.run(calls.path("calls"), words)
    #expect(first.status == 0 && first.text.contains("finished    2"), "\(first)")
    let again = try calls.run(calls.path("calls"), words)
    #expect(again.status == 0 && again.text.contains("done before 2"), "\(again)")
    #expect(again.messages.contains(note) || note.isEmpty)
    #expect(again.messages.contains("reports is skipped, as it contains outputs of this batch."))
    // Changed jobs are rendered from the recordings.
    let small = try calls.run(calls.path("calls"), words + ["--title", "Again"])
    #expect(small.status == 0 && small.text.contains("finished    2"), "\(small)")
    let report = try Data(contentsOf: URL(fileURLWithPath: calls.path("calls/reports/1.json")))
    let object = try JSONSerialization.jsonObject(with: report) as? [String: Any]
    #expect((object?["inputs"] as? [Any])?.count == 1)
  }

  @Test("Pages of all calls have an index page, which includes jobs done before")
  func pages() throws {
    let calls = try BatchFolder(calls: 2)
    let words = ["--page-dir", calls.path("pages"), "--page-thumbnails", "off"]
    let list = try calls.list([calls.line(1), calls.line(2)])
    let result = try calls.run(list, words + ["--index", "1"])
    #expect(result.status == 0, "\(result)")
    let again = try calls.run(list, words)
    #expect(again.status == 0 && again.text.contains("done before 1"), "\(again)")
    let index = try String(contentsOfFile: calls.path("pages/index.html"), encoding: .utf8)
    #expect(index.contains("job-1.html") && index.contains("job-2.html"))
    // The folder of pages changes no output.
    let third = try calls.run(list, ["--page-dir", calls.path("pages")])
    #expect(third.text.contains("done before 2"), "\(third)")

    let taken = #"{"id": "index", "input": "x", "output": "\#(calls.path("3.mp4"))"}"#
    let mistake = try calls.run(try calls.list([taken]), words)
    #expect(mistake.status == 2 && mistake.messages.contains("the list of all pages"))
  }

  @Test("A streaming folder and several outputs are recognized as done")
  func otherOutputs() throws {
    let calls = try BatchFolder(calls: 2)
    let list = try calls.list([
      #"{"input": "\#(calls.path("calls/1"))", "output": "\#(calls.path("web/"))", "hls": "96p"}"#,
      """
      {"input": "\(calls.path("calls/2"))", "outputs": ["\(calls.path("a.mp4"))", \
      "\(calls.path("b.mp4")):fps=2"]}
      """,
    ])
    #expect(try calls.run(list).status == 0)
    let again = try calls.run(list)
    #expect(again.status == 0 && again.text.contains("done before 2"), "\(again)")
    try FileManager.default.removeItem(atPath: calls.path("b.mp4"))
    try FileManager.default.removeItem(atPath: calls.path("web"))
    let third = try calls.run(list, ["--overwrite"])
    #expect(third.text.contains("finished    2"), "\(third)")
  }

  @Test(
    "A JSON line, a CSV row and a YAML item are equivalent", arguments: ["jsonl", "csv", "yaml"])
  func lists(form: String) throws {
    let calls = try BatchFolder(calls: 1)
    let (input, output) = (calls.path("calls/1"), calls.path("a.mp4"))
    let lines =
      switch form {
      case "csv": ["id,input,output,title,highlight-speaker", "a,\(input),\(output),\"A, B\",off"]
      case "yaml":
        [
          "- id: a", "  input: [\(input)]", "  output: \(output)", "  title: \"A, B\"",
          "  highlight-speaker: off",
        ]
      default:
        [
          """
          {"id": "a", "input": "\(input)", "outputs": ["\(output)"], "title": "A, B",
          """.trimmingCharacters(in: .newlines) + " \"highlight-speaker\": false}"
        ]
      }
    let result = try calls.run(try calls.list(lines, "jobs.\(form)"))
    #expect(result.status == 0, "\(result)")
    #expect(try Probed(output).format.tags?["title"] == "A, B")
  }

  @Test("All errors of a list are reported at once, and no job starts")
  func mistakes() throws {
    let calls = try BatchFolder(calls: 2)
    let list = try calls.list([
      calls.line(1), calls.line(2, #", "layuot": "grid""#), calls.line(2, #", "fps": 0"#),
      #"{"id": "job-1", "input": "x", "output": "\#(calls.path("1.mp4"))"}"#,
      #"{"id": "no input"}"#, "not JSON", calls.line(9, #", "crf": [1, 2]"#),
    ])
    let result = try calls.run(list)
    #expect(result.status == 2)
    for words in [
      "line 2: the key \"layuot\" is unknown: did you mean \"layout\"?",
      "line 3: fps cannot be \"0\"", "line 4: the id \"job-1\" is that of job 1, too",
      "line 4: the output \(calls.path("1.mp4")) is that of job 1, too",
      "line 5: no input is named", "line 5: no output is named",
      "line 6: it is not JSON: in column 1, ",
      "line 7: crf takes one value",
    ] {
      #expect(result.messages.contains(words), "\(words)\n\(result.messages)")
    }
    #expect(!calls.folder.names.contains("1.mp4"))
  }

  @Test("Changed lines, changed inputs and new lines are rendered; other jobs stay done")
  func changes() throws {
    let calls = try BatchFolder(calls: 3)
    let results = ["--results", calls.path("results.jsonl")]
    let first = try calls.run(try calls.list([calls.line(1), calls.line(2)]), results)
    #expect(first.status == 0, "\(first)")
    // The size is the same, the modification time differs.
    let recording = calls.path("calls/2/ada.webm")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: recording)
    let more = [calls.line(1, #", "title": "Changed""#), calls.line(2), calls.line(3)]
    let second = try calls.run(try calls.list(more), results)
    #expect(second.text.contains("finished    3"), "\(second)")
    let third = try calls.run(try calls.list(more), results)
    #expect(third.text.contains("done before 3"), "\(third)")
    #expect(try calls.results().count == 5)
  }

  @Test("Jobs of a higher priority start first, and a shard or an index selects jobs")
  func parts() throws {
    let calls = try BatchFolder(calls: 5)
    // One per slot.
    let urgent = (3...5).map { calls.line($0, ", \"priority\": \($0)") }
    let list = try calls.list([calls.line(1), calls.line(2)] + urgent)
    let results = ["--results", calls.path("results.jsonl"), "--jobs", "1"]
    #expect(try calls.run(list, results + ["--shard", "2/4"]).status == 0)
    #expect(try calls.exits() == ["job-2": 0])
    let indexed = try Tool.run(
      "env",
      ["JOB_COMPLETION_INDEX=2", TesseraTool.path, "batch", list, "--index", "auto"] + results
        + ["--size", "64x36", "--fps", "5", "--progress", "none"])
    #expect(indexed.status == 0, "\(indexed)")
    #expect(try calls.exits() == ["job-2": 0, "job-3": 0])
    #expect(try calls.run(list, ["--index", "5"]).status == 2)
    for number in 1...5 { try? FileManager.default.removeItem(atPath: calls.path("\(number).mp4")) }
    try FileManager.default.removeItem(atPath: calls.path("results.jsonl"))
    #expect(try calls.run(list, results).status == 0)
    let ids = try calls.results().compactMap { $0["id"] as? String }
    #expect(ids.count == 5 && ["job-3", "job-4", "job-5"].contains(ids[0]), "\(ids)")
  }

  @Test("An output is the same for any number of workers, and plays like one of render")
  func bytes() throws {
    let calls = try BatchFolder(calls: 1)
    let list = try calls.list([calls.line(1)])
    let output = calls.path("1.mp4")
    var made: [Data] = []
    for jobs in ["1", "3"] {
      try? FileManager.default.removeItem(atPath: output)
      #expect(try calls.run(list, ["--jobs", jobs]).status == 0)
      made.append(try Data(contentsOf: URL(fileURLWithPath: output)))
    }
    #expect(made[0] == made[1])
    let alone = calls.path("alone.mp4")
    let words = ["render", calls.path("calls/1"), "-o", alone, "--size", "64x36", "--fps", "5"]
    #expect(try TesseraTool.run(words).status == 0)
    let hashes = try [output, alone].map { path in
      try Tool.ffmpeg(["-i", path, "-map", "0", "-c", "copy", "-f", "hash", "-"])
    }
    #expect(hashes[0] == hashes[1])
  }
}
