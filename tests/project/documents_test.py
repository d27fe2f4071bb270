"""Tests that the links and paths in documents exist: documents_test.py SOURCE"""
import glob
import os
import re
import sys
import unittest

SOURCE = sys.argv.pop()
os.chdir(SOURCE)
DOCUMENTS = sorted(glob.glob("*.md") + glob.glob("docs/**/*.md", recursive=True) + glob.glob("data/**/*.md", recursive=True))


def prose(document):
    with open(document, encoding="utf-8") as file:
        return re.sub(r"```.*?```", "", file.read(), flags=re.S)


def anchors(document):
    """Returns the anchors that GitHub gives to headings."""
    titles = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title) for title in re.findall(r"^#+ (.*)$", prose(document), re.M)]
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


class Documents(unittest.TestCase):
    def test_links_lead_somewhere(self):
        for document in DOCUMENTS:
            for link in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
                if link.startswith("http"):
                    continue
                path, _, anchor = link.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
                self.assertTrue(os.path.exists(path), f"{document}: {link}")
                if anchor and path.endswith(".md"):
                    self.assertIn(anchor, anchors(path), f"{document}: {link}")

    def test_named_sources_are_there(self):
        for document in DOCUMENTS:
            if document == "CONTRIBUTING.md":  # the reader creates the files of its example
                continue
            for path in re.findall(r"`((?:cmake|docs|examples|kernels|npb|programs|python|scripts|src|tests|web)/[\w./\-]+)`",
                                   prose(document)):
                self.assertTrue(os.path.exists(path), f"{document}: {path}")

    def test_data_has_a_row_for_each_file(self):
        readme = prose("data/README.md")
        sections = dict(re.findall(r"^## (\S+?): (.*?)(?=^## |\Z)", readme, re.M | re.S))
        for machine in ("h100", "h200", "two-cores"):
            for file in os.listdir(os.path.join("data", machine)):
                if file.endswith((".sextant", ".csv", ".txt")):
                    self.assertTrue(f"`{file}`" in sections[machine], f"data/{machine}/{file}")

    def test_versions_agree(self):
        def found(file, pattern):
            with open(file, encoding="utf-8") as text:
                return re.search(pattern, text.read(), re.M).group(1)
        version = found("CMakeLists.txt", r"^project\(sextant VERSION ([0-9.]+)")
        for file, pattern in (("CITATION.cff", r"^version: (\S+)$"), ("debian/changelog", r"^sextant \((\S+)\)"),
                              ("packaging/spack/package.py", r"^ +version\(\"(\S+)\"\)")):
            self.assertEqual(found(file, pattern), version, file)

    def test_licences_of_what_is_shipped_have_their_texts(self):
        with open("debian/copyright", encoding="utf-8") as file:
            paragraphs = file.read().split("\n\n")
        texts = {p.split("\n")[0].removeprefix("License: "): p for p in paragraphs if p.startswith("License: ")}
        for paragraph in paragraphs:
            used = re.search(r"^License: (.+)$", paragraph, re.M)
            for name in used.group(1).split(" and ") if used else ():
                self.assertIn(name, texts)
                self.assertGreaterEqual(texts[name].count("\n "), 2, f"debian/copyright: the text of {name}")

    def test_index_of_kernels_is_whole(self):
        index = prose("docs/explanation/kernels/README.md")
        for page in os.listdir("docs/explanation/kernels"):
            self.assertTrue(page == "README.md" or f"]({page})" in index, page)
        for kernel in re.findall(r"`(\w+)`", index):  # a kernel without a page appears in no list
            self.assertTrue(any(os.path.isdir(os.path.join(suite, kernel)) for suite in ("kernels", "patterns")), kernel)


unittest.main()
