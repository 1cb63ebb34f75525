#!/usr/bin/python3
"""Shows that the checks of house.py can fail: in the faulty twin each marked line is found, and
nothing else is."""

import os
import re
import sys
import unittest

sys.dont_write_bytecode = True
import house

FAULTY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "faulty")


def marked():
    """What the twin's own marks (`breach: rule...`) promise, one for each time a rule is named."""
    for path in house.files_of(FAULTY):
        with open(os.path.join(FAULTY, path), encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                mark = re.search(r"// breach: ([a-z ]+)$", line)
                for rule in mark.group(1).split() if mark else []:
                    yield path, number, rule


class HouseTest(unittest.TestCase):
    found = sorted((path, number, rule) for path, number, rule, _ in house.check_tree(FAULTY))

    def test_finds_each_marked_line_and_no_other(self):
        without_readme = [breach for breach in self.found if breach[2] != "readme"]
        self.assertEqual(without_readme, sorted(marked()))

    def test_finds_each_folder_without_readme(self):
        folders = ["app/" + f.name for f in os.scandir(os.path.join(FAULTY, "app")) if f.is_dir()]
        self.assertEqual([path for path, _, rule in self.found if rule == "readme"],
                         sorted(folders))

    def test_has_a_fault_for_each_rule(self):
        rules = {rule for rule, *_ in house.WORDS}
        rules |= {"machine", "name", "folder", "include", "layer", "foreign", "readme"}
        self.assertEqual({rule for _, _, rule in self.found}, rules)


if __name__ == "__main__":
    unittest.main()
