"""Tests which results scripts/soak reports as growth and as missing data, and that it works with the program."""
import importlib.machinery
import importlib.util
import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import unittest

root = sys.argv.pop(1)
program = sys.argv.pop(1)
loader = importlib.machinery.SourceFileLoader("soak", os.path.join(root, "scripts", "soak"))
sys.dont_write_bytecode = True
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", loader))
loader.exec_module(soak)


def rows(**changes):
    """Returns twenty sessions with five observations each; changes: name -> function of the session."""
    flat = {"rss_mib": 30, "files": 12, "worker_rss_mib": 400, "worker_files": 9, "device_mib": 600}
    return [{"session": session, "seconds": 5 * session + look,
             **{name: (changes[name](session) if name in changes else value) - (look == 1) for name, value in flat.items()}}
            for session in range(1, 21) for look in range(5)]


class Soak(unittest.TestCase):
    def test_finds_what_grows(self):
        self.assertEqual(soak.growth(rows()), [])
        for name, per_session in (("rss_mib", 1), ("files", 0.2), ("worker_rss_mib", 2), ("worker_files", 0.2),
                                  ("device_mib", 3)):
            found = soak.growth(rows(**{name: lambda session, slope=per_session: 100 + slope * session}))
            self.assertEqual(len(found), 1, name)
            self.assertIn(name, found[0])

    def test_hands_the_rest_to_the_program(self):
        self.assertEqual(soak.split(["a", "--time", "1m", "--", "-k", "copy"]), (["a", "--time", "1m"], ["-k", "copy"]))
        self.assertEqual(soak.split(["--report"]), (["--report"], []))

    def test_measures_by_a_command_that_the_program_takes(self):
        for run in ([], ["-k", "copy", "-n", "100"]):
            with tempfile.TemporaryDirectory() as folder:
                command = soak.measuring(program, os.path.join(folder, "r.sextant"), run)
                ran = subprocess.run([*command, "--dry-run"], capture_output=True, text=True)
                self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_lets_a_session_differ_from_the_next(self):
        self.assertEqual(soak.growth(rows(worker_rss_mib=lambda session: 400 + 50 * (session % 3))), [])

    def test_does_not_judge_what_it_has_not_seen(self):
        self.assertIn("only 3 whole sessions", soak.growth(rows()[:25])[0])

    def test_accounts_for_every_case(self):
        with tempfile.TemporaryDirectory() as folder:
            printer = os.path.join(folder, "printer")
            with open(printer, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\ncat \"$2\"\n")
            os.chmod(printer, stat.S_IRWXU)

            def holding(name, statuses):
                path = os.path.join(folder, name)
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(json.dumps({"status": one}) + "\n" for one in statuses)
                return path

            first = holding("a", ["ok", "ok", "skipped"])
            self.assertEqual(soak.accounted(printer, [first, first]), ({"ok": 4, "skipped": 2}, []))
            self.assertEqual(len(soak.accounted(printer, [first, holding("b", ["ok", "ok"])])[1]), 1)
            self.assertIn("1 cases failed", soak.accounted(printer, [holding("c", ["ok", "failed"])])[1])

    def test_ends_a_program_that_was_started_where_interrupts_are_ignored(self):
        with tempfile.TemporaryDirectory() as folder:
            code = ("import importlib.machinery, importlib.util, argparse, signal, sys; sys.dont_write_bytecode = True; "
                    "loader = importlib.machinery.SourceFileLoader('soak', sys.argv[1]); "
                    "soak = importlib.util.module_from_spec(importlib.util.spec_from_loader('soak', loader)); "
                    "loader.exec_module(soak); soak.measuring = lambda *_: ['sleep', '600']; "
                    "soak.piece(argparse.Namespace(folder=sys.argv[2], program='true', run=[], time='1s', every='1s'))")
            subprocess.run([sys.executable, "-c", code, os.path.join(root, "scripts", "soak"), folder], check=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN), timeout=60)
            with open(os.path.join(folder, "piece-001.json"), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["wrong"], [])

    def test_reads_what_the_program_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.sextant")
            subprocess.run([program, "run", "-q", "-k", "copy", "-v", "serial.baseline", "-n", "100,200", "--samples", "6:6",
                            "--no-ceilings", "-o", path], check=True, capture_output=True)
            self.assertEqual(soak.accounted(program, [path]), ({"ok": 4}, []))


if __name__ == "__main__":
    unittest.main()
