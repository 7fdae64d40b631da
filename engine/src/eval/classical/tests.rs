//! Each family by position: a row counts where its words say, and nowhere else.

use crate::eval::Term;
use crate::eval::testing::white_with;
use crate::params::Params;

/// White's points, middle game and end game, of a term with changed rows.
fn of(term: Term, fen: &str, change: impl Fn(&mut Params)) -> (i32, i32) {
    white_with(change, fen, term)
}

#[test]
fn mobility_counts_safe_squares() {
    let counted = |fen, squares: usize| {
        of(Term::PieceMobility, fen, |params| {
            params.piece_mobility.on = true;
            params.piece_mobility.knight_mg[squares] = 10;
            params.piece_mobility.knight_eg[squares] = 20;
        })
    };
    assert_eq!(counted("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", 2), (10, 20), "b3 and c2");
    assert_eq!(counted("4k3/8/8/8/p7/8/8/N3K3 w - - 0 1", 1), (10, 20), "a pawn controls b3");
    assert_eq!(counted("4k3/8/8/8/8/8/2P5/N3K3 w - - 0 1", 1), (10, 20), "an own pawn at home");
    assert_eq!(counted("4k3/8/8/8/8/1r6/8/N3K3 w - - 0 1", 2), (10, 20), "an enemy piece");
    assert_eq!(counted("4k3/8/8/4r3/8/4N3/8/4K3 w - - 0 1", 0), (10, 20), "pinned");
}

#[test]
fn rooks_look_through_rooks() {
    let fen = "4k3/8/8/8/8/R7/8/R3K3 w - - 0 1";
    let rooks = of(Term::PieceMobility, fen, |params| {
        params.piece_mobility.on = true;
        params.piece_mobility.rook_mg[10] = 1;
        params.piece_mobility.rook_mg[14] = 100;
    });
    assert_eq!(rooks, (101, 0), "a1: the file and three squares; a3: file and rank");
}

/// Units of danger to White's king with only these units in force.
fn units(fen: &str, change: impl Fn(&mut crate::params::KingDanger)) -> i32 {
    let (mg, eg) = of(Term::KingDanger, fen, |params| {
        let danger = &mut params.king_danger;
        danger.on = true;
        (danger.attacker, danger.safe_check) = ([0; 4], [0; 4]);
        (danger.attack, danger.weak, danger.pinned, danger.unsafe_check) = (0, 0, 0, 0);
        (danger.wing_attack, danger.wing_defence, danger.no_queen) = (0, 0, 0);
        (danger.knight_defence, danger.shelter, danger.base) = (0, 0, 0);
        (danger.square_divisor, danger.divisor, danger.more_checks) = (512, 2, 0);
        change(danger);
    });
    let units = -2 * eg;
    assert_eq!(mg, -(units * units / 512), "the value of {units} units");
    units
}

#[test]
fn units_of_danger() {
    // The bishop controls f3 and g2, the queen g3 and g2.
    let fen = "4k3/1b6/8/6q1/8/8/5PPP/6K1 w - - 0 1";
    assert_eq!(units(fen, |danger| danger.attack = 64), 128, "twice g2");
    assert_eq!(units(fen, |danger| danger.attacker = [0, 10, 0, 20]), 60, "two, 10 and 20");
    assert_eq!(units(fen, |danger| danger.weak = 10), 10, "g2, which only the king defends");
    assert_eq!(units(fen, |danger| danger.safe_check = [0, 0, 0, 100]), 100, "Qc1 and Qg2");
    let two = |danger: &mut crate::params::KingDanger| {
        (danger.safe_check, danger.more_checks) = ([0, 0, 0, 100], 50);
    };
    assert_eq!(units(fen, two), 150);
    assert_eq!(units(fen, |danger| danger.wing_attack = 10), 120, "eleven squares, g2 twice");
    let defended = |danger: &mut crate::params::KingDanger| {
        (danger.base, danger.wing_defence) = (100, 10);
    };
    assert_eq!(units(fen, defended), 10, "nine squares");
    assert_eq!(units(fen, |danger| danger.base = 40), 40);
    assert_eq!(units(fen, |danger| danger.base = -40), 0, "never below nought");
    let knight = "4k3/1b6/8/6q1/8/4N3/5PPP/6K1 w - - 0 1";
    let defence = |danger: &mut crate::params::KingDanger| {
        (danger.base, danger.knight_defence) = (100, 30);
    };
    assert_eq!((units(fen, defence), units(knight, defence)), (100, 70));
}

#[test]
fn one_attacker_is_no_danger() {
    let base = |danger: &mut crate::params::KingDanger| danger.base = 40;
    assert_eq!(units("4k3/1b6/8/8/8/8/5PPP/6K1 w - - 0 1", base), 0);
    assert_eq!(units("4k3/1b6/8/8/6r1/8/5PPP/6K1 w - - 0 1", base), 40, "a rook, too");
    let no_queen = |danger: &mut crate::params::KingDanger| {
        (danger.base, danger.no_queen) = (40, 30);
    };
    assert_eq!(units("4k3/1b6/8/8/6r1/8/5PPP/6K1 w - - 0 1", no_queen), 10);
}

#[test]
fn pinned_men_are_units() {
    let pinned = |danger: &mut crate::params::KingDanger| danger.pinned = 20;
    assert_eq!(units("4k3/1b6/8/6q1/8/6N1/5PNP/6K1 w - - 0 1", pinned), 0, "two men between");
    assert_eq!(units("4k3/1b6/8/6q1/8/8/5PNP/6K1 w - - 0 1", pinned), 20, "Ng2 before Qg5");
}

#[test]
fn shelter_and_storm() {
    let shelter = |fen| {
        of(Term::KingShelter, fen, |params| {
            let rows = &mut params.king_shelter;
            rows.on = true;
            (rows.shelter_mg[17], rows.shelter_mg[9], rows.shelter_mg[1]) = (1, 10, 100);
            (rows.shelter_mg[8], rows.storm_mg[11], rows.blocked_mg[2]) = (-7, -1000, -2000);
        })
    };
    assert_eq!(shelter("4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1"), (111, 0));
    assert_eq!(shelter("4k3/8/8/8/8/8/5P1P/6K1 w - - 0 1"), (94, 0), "no pawn on the g-file");
    assert_eq!(shelter("4k3/8/8/8/6p1/8/5PPP/6K1 w - - 0 1"), (-889, 0), "a storm");
    assert_eq!(shelter("4k3/8/8/8/8/6p1/5PPP/6K1 w - - 0 1"), (-1889, 0), "a blocked one");
    assert_eq!(shelter("4k3/8/8/8/8/6K1/5PPP/8 w - - 0 1"), (-7, 0), "pawns behind the king");
}

/// White's threats where one pair of rows is 1 and 2, and one cell of a list.
fn threats(fen: &str, change: impl Fn(&mut crate::params::PieceThreats)) -> (i32, i32) {
    of(Term::PieceThreats, fen, |params| {
        params.piece_threats.on = true;
        change(&mut params.piece_threats);
    })
}

#[test]
fn threats_by_kind() {
    let on_knight = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";
    assert_eq!(threats(on_knight, |rows| (rows.pawn_mg[1], rows.pawn_eg[1]) = (1, 2)), (1, 2));
    let on_pawn = "4k3/8/8/8/4p3/2N5/8/4K3 w - - 0 1";
    assert_eq!(threats(on_pawn, |rows| (rows.minor_mg[0], rows.minor_eg[0]) = (1, 2)), (1, 2));
    assert_eq!(threats(on_pawn, |rows| (rows.hanging_mg, rows.hanging_eg) = (1, 2)), (1, 2));
    let covered = "4k3/8/8/3p4/4p3/2N5/8/4K3 w - - 0 1";
    assert_eq!(threats(covered, |rows| rows.minor_mg[0] = 1), (1, 0), "d5 alone is weak");
    let rook = "4k3/8/8/p7/8/8/8/R3K3 w - - 0 1";
    assert_eq!(threats(rook, |rows| (rows.rook_mg[0], rows.rook_eg[0]) = (1, 2)), (1, 2));
    let king = "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1";
    assert_eq!(threats(king, |rows| (rows.king_mg, rows.king_eg) = (1, 2)), (1, 2));
    let by_queen = "3qk3/8/8/p7/8/8/8/R3K3 w - - 0 1";
    assert_eq!(threats(by_queen, |rows| rows.queen_only_mg = 1), (1, 0));
    assert_eq!(threats(by_queen, |rows| rows.hanging_mg = 1), (0, 0), "she defends it");
}

#[test]
fn threats_to_come() {
    let push = "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1";
    assert_eq!(threats(push, |rows| (rows.push_mg, rows.push_eg) = (1, 2)), (1, 2), "e4");
    let kings = "8/8/8/4k3/8/4K3/8/8 w - - 0 1";
    assert_eq!(threats(kings, |rows| rows.restricted_mg = 1), (3, 0), "d4, e4, f4");
    let knight = "3qk3/8/8/8/3N4/8/8/4K3 w - - 0 1";
    assert_eq!(threats(knight, |rows| rows.knight_on_queen_mg = 1), (2, 0), "c6 and e6");
    let rooks = "3qk3/8/8/8/8/8/8/RR2K3 w - - 0 1";
    assert_eq!(threats(rooks, |rows| rows.slider_on_queen_mg = 1), (1, 0), "d1");
}

fn minors(fen: &str, change: impl Fn(&mut crate::params::MinorPieces)) -> (i32, i32) {
    of(Term::MinorPieces, fen, |params| {
        params.minor_pieces.on = true;
        change(&mut params.minor_pieces);
    })
}

#[test]
fn outposts() {
    let knight = |fen| minors(fen, |rows| (rows.knight_outpost_mg, rows.reachable_mg) = (1, 10));
    assert_eq!(knight("4k3/8/8/3N4/4P3/8/8/4K3 w - - 0 1"), (1, 0));
    assert_eq!(knight("4k3/2p5/8/3N4/4P3/8/8/4K3 w - - 0 1"), (0, 0), "c6 drives it away");
    assert_eq!(knight("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1"), (0, 0), "nothing protects it");
    assert_eq!(knight("4k3/8/3p4/3N4/8/8/8/4K3 w - - 0 1"), (1, 0), "before an enemy pawn");
    assert_eq!(knight("4k3/8/8/8/4P3/2N5/8/4K3 w - - 0 1"), (10, 0), "d5 within reach");
    let bishop = |fen| minors(fen, |rows| rows.bishop_outpost_mg = 1);
    assert_eq!(bishop("4k3/8/8/3B4/4P3/8/8/4K3 w - - 0 1"), (1, 0));
}

#[test]
fn minor_pieces_and_what_is_around_them() {
    let behind = |rows: &mut crate::params::MinorPieces| rows.behind_pawn_mg = 1;
    assert_eq!(minors("4k3/8/8/8/3P4/3N4/8/4K3 w - - 0 1", behind), (1, 0));
    assert_eq!(minors("4k3/8/8/8/3p4/3B4/8/4K3 w - - 0 1", behind), (1, 0));
    let steps = |rows: &mut crate::params::MinorPieces| {
        (rows.knight_king_mg, rows.bishop_king_mg) = (1, 10);
    };
    assert_eq!(minors("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", steps), (4, 0));
    assert_eq!(minors("4k3/8/8/4B3/8/8/8/4K3 w - - 0 1", steps), (40, 0));
    let pawns = |rows: &mut crate::params::MinorPieces| {
        (rows.bishop_pawns_mg, rows.bishop_blocked_mg) = (1, 10);
    };
    assert_eq!(minors("4k3/8/8/8/8/P7/PP6/2B1K3 w - - 0 1", pawns), (2, 0), "a2 is light");
    assert_eq!(minors("4k3/8/8/3p4/3P4/8/8/2B1K3 w - - 0 1", pawns), (11, 0));
    let lines = |rows: &mut crate::params::MinorPieces| {
        (rows.bishop_xray_mg, rows.long_diagonal_mg) = (1, 10);
    };
    assert_eq!(minors("4k3/8/8/6p1/8/8/3N4/2B1K3 w - - 0 1", lines), (1, 0));
    assert_eq!(minors("4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", lines), (10, 0));
}

#[test]
fn rooks_and_queens() {
    let heavy = |fen, change: fn(&mut crate::params::HeavyPieces)| {
        of(Term::HeavyPieces, fen, |params| {
            params.heavy_pieces.on = true;
            change(&mut params.heavy_pieces);
        })
    };
    let files = |fen| heavy(fen, |rows| (rows.open_mg, rows.half_open_mg) = (1, 10));
    assert_eq!(files("4k3/8/8/8/8/8/8/R3K3 w - - 0 1"), (1, 0));
    assert_eq!(files("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1"), (10, 0));
    assert_eq!(files("4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1"), (0, 0));
    let blocked = |fen| heavy(fen, |rows| rows.blocked_mg = 1);
    assert_eq!(blocked("4k3/8/8/p7/P7/8/8/R3K3 w - - 0 1"), (1, 0));
    assert_eq!(blocked("4k3/8/8/8/P7/8/8/R3K3 w - - 0 1"), (0, 0));
    let looks = |fen| heavy(fen, |rows| (rows.queen_file_mg, rows.ring_file_mg) = (1, 10));
    assert_eq!(looks("q3k3/8/8/8/8/8/8/R3K3 w - - 0 1"), (1, 0));
    assert_eq!(looks("6k1/8/8/8/8/8/8/4KR2 w - - 0 1"), (10, 0));
    let shut = |fen| heavy(fen, |rows| (rows.shut_mg, rows.shut_for_good_mg) = (1, 10));
    assert_eq!(shut("4k3/8/8/8/8/8/5PPP/6KR w - - 0 1"), (10, 0));
    assert_eq!(shut("4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1"), (1, 0));
    assert_eq!(shut("4k3/8/8/8/8/8/PPP5/RK6 w - - 0 1"), (10, 0));
    assert_eq!(shut("4k3/8/8/8/8/8/5PPP/R5K1 w - - 0 1"), (0, 0), "the file is free");
    let far = |fen| heavy(fen, |rows| rows.infiltration_mg = 1);
    assert_eq!(far("4k3/8/3Q4/8/8/8/8/4K3 w - - 0 1"), (1, 0));
    assert_eq!(far("4k3/2p5/3Q4/8/8/8/8/4K3 w - - 0 1"), (0, 0));
}

fn pawns(fen: &str, change: impl Fn(&mut crate::params::PawnRanks)) -> (i32, i32) {
    of(Term::PawnRanks, fen, |params| {
        params.pawn_ranks.on = true;
        change(&mut params.pawn_ranks);
    })
}

#[test]
fn pawns_by_rank() {
    let side = |fen| pawns(fen, |rows| (rows.phalanx_mg[3], rows.phalanx_open_mg[3]) = (1, 10));
    assert_eq!(side("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1"), (20, 0));
    assert_eq!(side("4k3/3pp3/8/8/3PP3/8/8/4K3 w - - 0 1"), (2, 0));
    let supported = |fen| pawns(fen, |rows| rows.supported_mg[3] = 1);
    assert_eq!(supported("4k3/8/8/8/3P4/2P5/8/4K3 w - - 0 1"), (1, 0));
    assert_eq!(supported("4k3/8/8/8/3P4/2P1P3/8/4K3 w - - 0 1"), (2, 0));
    let isolated = |fen| pawns(fen, |rows| (rows.isolated_mg[3], rows.isolated_open_mg) = (1, 10));
    assert_eq!(isolated("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"), (11, 0));
    assert_eq!(isolated("4k3/4p3/8/8/4P3/8/8/4K3 w - - 0 1"), (1, 0));
    let backward = |fen| pawns(fen, |rows| (rows.backward_mg[2], rows.backward_open_mg) = (1, 10));
    assert_eq!(backward("4k3/8/8/2p5/4P3/3P4/8/4K3 w - - 0 1"), (11, 0), "though it protects e4");
    assert_eq!(backward("4k3/8/8/2p1P3/8/3P4/8/4K3 w - - 0 1"), (11, 0));
    assert_eq!(backward("4k3/8/8/4P3/8/3P4/8/4K3 w - - 0 1"), (0, 0), "nothing stops it");
    let doubled = |fen| pawns(fen, |rows| rows.doubled_mg[3] = 1);
    assert_eq!(doubled("4k3/8/8/8/4P3/4P3/8/4K3 w - - 0 1"), (1, 0));
    assert_eq!(doubled("4k3/8/8/8/4P3/3PP3/8/4K3 w - - 0 1"), (0, 0), "protected");
    let lever = |fen| pawns(fen, |rows| rows.lever_mg = 1);
    assert_eq!(lever("4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1"), (1, 0));
    let blocked = |fen| pawns(fen, |rows| rows.blocked_mg[4] = 1);
    assert_eq!(blocked("4k3/8/4p3/4P3/8/8/8/4K3 w - - 0 1"), (1, 0));
}

#[test]
fn candidates() {
    let candidate = |fen| {
        of(Term::CandidatePawn, fen, |params| {
            params.pawn_ranks.on = true;
            params.pawn_ranks.candidate_eg[3] = 1;
        })
    };
    assert_eq!(candidate("4k3/8/3p4/8/3PP3/8/8/4K3 w - - 0 1"), (0, 1));
    assert_eq!(candidate("4k3/8/3p1p2/8/3PP3/8/8/4K3 w - - 0 1"), (0, 0), "two guards");
    assert_eq!(candidate("4k3/8/8/8/3PP3/8/8/4K3 w - - 0 1"), (0, 0), "they are passed");
}

#[test]
fn passed_pawns_by_rank() {
    let passer = |fen, change: fn(&mut crate::params::Passers)| {
        of(Term::PasserRanks, fen, |params| {
            params.passers.on = true;
            change(&mut params.passers);
        })
    };
    let alone = "8/8/4P3/8/8/8/8/k3K3 w - - 0 1";
    assert_eq!(passer(alone, |rows| (rows.rank_mg[5], rows.rank_eg[5]) = (1, 2)), (1, 2));
    assert_eq!(passer(alone, |rows| rows.file_mg[3] = 1), (1, 0));
    assert_eq!(passer(alone, |rows| rows.own_king[46] = 1), (0, 1), "six steps to e7");
    assert_eq!(passer(alone, |rows| rows.enemy_king[46] = 1), (0, 1));
    let way = |fen| {
        passer(fen, |rows| {
            (rows.free_mg[5], rows.safe_way_mg[5]) = (1, 10);
            (rows.safe_stop_mg[5], rows.defended_mg[5]) = (100, 500);
        })
    };
    assert_eq!(way(alone), (11, 0));
    assert_eq!(way("3k4/8/4P3/8/8/8/8/4K3 w - - 0 1"), (1, 0), "the king controls e7");
    assert_eq!(way("r7/8/4P3/8/8/8/8/k3K3 w - - 0 1"), (101, 0), "the rook controls e8");
    assert_eq!(way("8/4n3/4P3/8/8/8/8/k3K3 w - - 0 1"), (0, 0), "blocked");
    assert_eq!(way("8/8/4P3/8/8/8/4R3/k3K3 w - - 0 1"), (511, 0), "a rook behind it");
    assert_eq!(way("8/8/4P3/8/4r3/8/8/k2K4 w - - 0 1"), (1, 0), "an enemy one behind it");
}

/// White's knight on b3. Bucket 0 is a king on d1 or e1, bucket 1 on c1 or f1, and so on.
#[test]
fn men_count_by_king_bucket() {
    let own = |fen, bucket: usize, square: usize| {
        of(Term::KingSquares, fen, |params| {
            params.king_squares.on = true;
            params.king_squares.own_knight_mg[bucket * 64 + square] = 10;
            params.king_squares.own_knight_eg[bucket * 64 + square] = 20;
        })
    };
    let (b3, g3) = (17, 22);
    assert_eq!(own("4k3/8/8/8/8/1N6/8/4K3 w - - 0 1", 0, b3), (10, 20));
    assert_eq!(own("4k3/8/8/8/8/1N6/8/3K4 w - - 0 1", 0, g3), (10, 20), "mirrored with its king");
    assert_eq!(
        own("4k3/8/8/8/8/1N6/8/6K1 w - - 0 1", 2, b3),
        (10, 20),
        "two files from the middle"
    );
    assert_eq!(own("4k3/8/8/8/8/1N6/6K1/8 w - - 0 1", 6, b3), (10, 20), "the second rank");
    assert_eq!(own("4k3/8/8/8/8/1N4K1/8/8 w - - 0 1", 6, b3), (10, 20), "the third");
    assert_eq!(own("4k3/8/8/8/1N4K1/8/8/8 w - - 0 1", 10, b3 + 8), (10, 20), "the fourth");
    assert_eq!(own("4k3/8/8/8/8/1N6/8/6K1 w - - 0 1", 0, b3), (0, 0), "another bucket");
    assert_eq!(
        own("4k3/8/8/8/8/1n6/8/4K3 w - - 0 1", 0, b3),
        (0, 0),
        "Black's, seen from its own king"
    );

    let enemy = |fen, bucket: usize, square: usize| {
        of(Term::KingSquares, fen, |params| {
            params.king_squares.on = true;
            params.king_squares.enemy_knight_mg[bucket * 64 + square] = 7;
        })
    };
    assert_eq!(enemy("6k1/8/8/8/8/1N6/8/4K3 w - - 0 1", 2, b3), (7, 0), "g8 is the enemy's g1");
    assert_eq!(enemy("8/1k6/8/8/8/1N6/8/4K3 w - - 0 1", 6, g3), (7, 0), "b7, mirrored");
}

#[test]
fn space_of_the_start_position() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let space = |fen| {
        of(Term::Space, fen, |params| {
            params.space.on = true;
            params.space.square[16] = 1;
        })
    };
    assert_eq!(space(fen), (8, 0));
    let advanced = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(space(advanced), (10, 0), "d2 and d3 twice, d4 no more");
}

#[test]
fn what_is_won_is_scaled() {
    let winnable = |fen, change: fn(&mut Params)| of(Term::Winnable, fen, change).1;
    let pawns = |params: &mut Params| {
        zero(params);
        params.winnable.pawn = 10;
    };
    assert_eq!(winnable("4k3/8/8/8/8/8/PPPP4/4K3 w - - 0 1", pawns), 40);
    let base = |params: &mut Params| {
        zero(params);
        params.winnable.base = -20;
    };
    assert_eq!(winnable("4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1", base), 20, "Black has less");
    let scaled = |params: &mut Params| {
        params.scale.on = true;
        (params.scale.base, params.scale.pawn) = (64, 0);
        (params.scale.bishops_alone, params.scale.bishops_passer) = (0, 0);
    };
    assert_eq!(winnable("4k3/pppp4/8/8/8/8/8/4K3 w - - 0 1", scaled), 0);
    let opposite = winnable("2b1k3/ppp5/8/8/8/8/8/2B1K3 w - - 0 1", scaled);
    assert!(opposite > 3 * 256, "nothing is left of three pawns: {opposite}");
}

/// All points of the winnable group nought.
fn zero(params: &mut Params) {
    let rows = &mut params.winnable;
    rows.on = true;
    (rows.passer, rows.pawn, rows.outflanking, rows.both_wings) = (0, 0, 0, 0);
    (rows.infiltration, rows.pawn_ending, rows.one_wing, rows.base) = (0, 0, 0, 0);
}
