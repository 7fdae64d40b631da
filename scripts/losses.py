#!/usr/bin/env python3
"""What the losses of a run's test player show: how deep both looked, who saw first that the game was
lost, and on how full a board.

Usage: scripts/losses.py RUN            needs python-chess, and zstd where games are packed

"For good" is from the move on from which a player's own scores stay at a pawn or more. The phase counts
pieces as evaluations do: knight and bishop 1, rook 2, queen 4, of 24 at the start.
"""
import json
import subprocess
import sys
from pathlib import Path
from statistics import mean, median

import chess

MATE = 10_000
PHASE = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}
PARTS = [(16, "middle game, 16 to 24"), (8, "8 to 15"), (0, "ending, below 8")]


def games(run):
    journal = run / "games.jsonl"
    packed = run / "games.jsonl.zst"
    if journal.exists():
        lines = journal.read_text().splitlines()
    elif not packed.exists():
        sys.exit(f"losses: {run}: expected the folder of a run, with games.jsonl or games.jsonl.zst")
    else:
        unpacked = subprocess.run(["zstd", "-dcq", packed], check=True, capture_output=True)
        lines = unpacked.stdout.decode().splitlines()
    return [json.loads(line) for line in lines]


def centipawns(score):
    """A score of the journal: centipawns, nothing, or a mate as text with its sign."""
    if isinstance(score, int):
        return score
    return -MATE if str(score).lstrip("#").startswith("-") else MATE if score else 0


def for_good(scores, sign):
    """The ply from which scores stay at a pawn or more; None if the last one does not."""
    since = None
    for ply, score in reversed(scores):
        if sign * score < 100:
            break
        since = ply
    return since


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    effort = {True: [], False: []}
    lost, late, before, phases = 0, [], [], []
    played = games(Path(sys.argv[1]))
    for game in played:
        board = chess.Board(game["fen"])
        ours_is_white = game["white"] == "test"
        scores = {True: [], False: []}
        moves = game["moves"].split()
        book = game["book_plies"]
        for ply, (score, depth, nodes) in enumerate(game["notes"], book):
            ours = (board.turn == (ply % 2 == 0)) == ours_is_white
            scores[ours].append((ply, centipawns(score)))
            effort[ours].append((depth, nodes))
        if game["result"] != ("0-1" if ours_is_white else "1-0"):
            continue
        lost += 1
        before.append(max((score for _, score in scores[True]), default=0))
        seen, told = for_good(scores[True], -1), for_good(scores[False], 1)
        if told is None:
            continue
        if seen is not None:
            late.append(seen - told)
        for move in moves[:told]:
            board.push_uci(move)
        phases.append(sum(PHASE.get(man.piece_type, 0) for man in board.piece_map().values()))
    for ours, name in [(True, "test"), (False, "base")]:
        depths, nodes = zip(*effort[ours])
        print(f"{name}: depth {mean(depths):.2f}, {mean(nodes):.0f} nodes a move")
    print(f"{lost} of {len(played)} games lost")
    if phases and late:
        print(f"test sees it {median(late):.0f} plies after base (median of {len(late)})")
        print(f"test's best score in a lost game: {median(before):+.0f} centipawns (median)")
        print("on the board when base sees it:")
        for low, name in PARTS:
            high = next((more for more, _ in reversed(PARTS) if more > low), 99)
            print(f"  {name}: {sum(low <= phase < high for phase in phases)}")


main()
