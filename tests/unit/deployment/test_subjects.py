"""What CI says of commits' subjects."""

import subprocess
from pathlib import Path

SUBJECTS = Path(__file__).parents[3] / ".ci/subjects"
AUTHOR = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def test_only_commits_that_main_does_not_have_are_refused_for_a_long_subject(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["/usr/bin/env", "git", *AUTHOR, *words], cwd=tmp_path, check=True, capture_output=True)

    def said(*subjects: str) -> str | None:
        for subject in subjects:
            git("commit", "--allow-empty", "-m", f"{subject}\n\n{'A body may have long lines. ' * 9}")
        done = subprocess.run([SUBJECTS], cwd=tmp_path, capture_output=True, text=True, check=False)
        return done.stderr if done.returncode else None

    git("init", "--initial-branch=main")
    assert said("An old commit on main has more than seventy-two characters " + "á" * 40) is None
    git("checkout", "-b", "change")
    assert said("á" * 72, "Short") is None
    refused = said("x" * 73)
    assert refused
    assert refused.splitlines()[1:] == ["x" * 73]
