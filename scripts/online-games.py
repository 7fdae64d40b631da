#!/usr/bin/env python3
"""Makes games look like those of online databases, for benchmarks of readers: an evaluation and a clock in a comment
behind every move, and some twenty tags. Evaluations and clocks are made up: random walks with a fixed seed.

Usage: scripts/online-games.py GAMES.pgn >ONLINE.pgn      standard input without a file; packed: zstd -dc … | …
"""
import random
import re
import sys

TAGS = {
    "UTCDate": "2026.11.30", "UTCTime": "18:21:07", "WhiteElo": "2104", "BlackElo": "2077", "WhiteRatingDiff": "+6",
    "BlackRatingDiff": "-5", "ECO": "C65", "Opening": "Ruy Lopez: Berlin Defense, Beverwijk Variation",
    "TimeControl": "180+2", "Termination": "Normal", "Variant": "Standard", "WhiteTitle": "FM", "BlackTitle": "IM",
}
WORD = re.compile(r"\{[^}]*\}|\([^()]*\)|\$\d+|;[^\n]*|[^\s(){};$]+")
RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}


def movetext(text, chance):
    """The moves with their comments; comments and variations that were there are left out."""
    words, number, white, clocks, score = [], 1, True, [180.0, 180.0], 20.0
    for match in WORD.finditer(text):
        word = match.group().lstrip("0123456789.") if match.group() not in RESULTS else match.group()
        if not word or word[0] in "{(;$":
            continue
        if word in RESULTS:
            words.append(word)
            continue
        side = 0 if white else 1
        clocks[side] = max(1.0, clocks[side] + 2 - chance.expovariate(0.25))
        score += chance.gauss(0, 25)
        minutes, seconds = divmod(int(clocks[side]), 60)
        begin = f"{number}." if white else f"{number}..."
        words.append(f"{begin} {word} {{ [%eval {score / 100:.2f}] [%clk 0:{minutes:02}:{seconds:02}] }}")
        number += not white
        white = not white
    return " ".join(words)


def main():
    chance = random.Random(1)
    source = open(sys.argv[1], encoding="latin-1") if len(sys.argv) > 1 else sys.stdin
    tags, moves = [], []

    def put():
        if not tags and not moves:
            return
        names = {re.match(r"\[\s*(\w+)", tag).group(1) for tag in tags}
        lines = tags + [f'[{name} "{value}"]' for name, value in TAGS.items() if name not in names]
        sys.stdout.write("\n".join(lines) + "\n\n" + movetext(" ".join(moves), chance) + "\n\n\n")
        tags.clear()
        moves.clear()

    for line in source:
        line = line.strip()
        if re.match(r"\[\s*\w+\s+\"", line) and not (moves and moves[-1].count("{") > moves[-1].count("}")):
            if moves:
                put()
            tags.append(line)
        elif line:
            moves.append(line)
    put()


if __name__ == "__main__":
    main()
