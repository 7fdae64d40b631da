use super::*;
use crate::types::{MoveKind, Role};

const START: &str = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";

/// A node on ply 4 and what the search learned there.
struct Node {
    heuristics: Heuristics,
    position: Position,
    stack: Vec<StackEntry>,
    tried: Searched,
}

impl Node {
    fn new(params: &Params, fen: &str) -> Node {
        let mut heuristics = Heuristics::new();
        heuristics.begin_search(params);
        let position = Position::from_fen(fen).expect(fen);
        Node {
            heuristics,
            position,
            stack: vec![StackEntry::default(); 8],
            tried: Searched::default(),
        }
    }

    fn mv(&self, text: &str) -> Move {
        self.position.parse_uci(text).expect(text)
    }

    fn info<'a>(&'a self, mv: Move, plies: i32, tried: &'a Searched) -> CutInfo<'a> {
        let (position, stack, value) = (&self.position, &self.stack[..], Value::ZERO);
        CutInfo { position, stack, ply: 4, depth: Depth::plies(plies), mv, value, tried }
    }

    fn cut(&mut self, text: &str, plies: i32) {
        let mut heuristics = std::mem::replace(&mut self.heuristics, Heuristics::new());
        heuristics.cut(&self.info(self.mv(text), plies, &self.tried));
        self.heuristics = heuristics;
    }

    fn raise(&mut self, text: &str) {
        let mut heuristics = std::mem::replace(&mut self.heuristics, Heuristics::new());
        heuristics.raised(&self.info(self.mv(text), 3, &self.tried));
        self.heuristics = heuristics;
    }

    fn try_in_vain(&mut self, texts: &[&str]) {
        self.tried = Searched::default();
        for text in texts {
            self.tried.push(self.mv(text));
        }
    }

    /// What all quiet histories say, 1/256 point.
    fn quiet(&self, text: &str, params: &Params) -> i32 {
        let Node { heuristics, position, stack, .. } = self;
        heuristics.quiet_scores(position, stack, 4, params).of(self.mv(text))
    }

    fn piece_to(&self, text: &str) -> i32 {
        let mv = self.mv(text);
        self.heuristics.piece_to(self.position.piece_at(mv.from()), mv.landing())
    }

    fn share(&self, text: &str) -> i32 {
        let mv = self.mv(text);
        self.heuristics.success_share(self.position.piece_at(mv.from()), mv.landing())
    }

    fn killers(&self, params: &Params) -> [Move; 2] {
        let [first, _, second, _] = self.heuristics.killers(4, params);
        [first.0.mv, second.0.mv]
    }
}

fn keeping(names: &[&str]) -> Params {
    let mut params = Params::default();
    params.order.history = false;
    for name in names {
        params.set(name, "true").expect(name);
    }
    params
}

/// ORD-11; ORD-02: once a mate killer, always one while it sits there.
#[test]
fn killers_are_never_equal() {
    let mut killers = Killers::new();
    let [a, b, c] = [1, 2, 3].map(Move::from_bits);
    let values = crate::params::Killers::default();
    for mv in [a, a, b, b, a, c] {
        killers.store(3, mv, mv == a);
        let [(first, _), _, (second, _), _] = killers.of(3, &values);
        assert!(first.mv == mv && first != second);
    }
    let [(first, _), _, (second, _), _] = killers.of(3, &values);
    assert_eq!([(first.mv, first.mated), (second.mv, second.mated)], [(c, false), (a, true)]);
    killers.store(3, a, false);
    assert!(killers.of(3, &values)[0].0.mated);
}

/// ORD-09, ORD-10: quiet moves that raise alpha; captures and promotions stay out.
#[test]
fn who_becomes_a_killer() {
    let params = Params::default();
    let mut node = Node::new(&params, "2r3k1/1P6/8/3p4/4P3/8/8/4K2R w K - 0 1");
    for text in ["e4d5", "b7c8q", "b7b8q", "b7b8n"] {
        node.cut(text, 3);
        node.raise(text);
    }
    assert_eq!(node.killers(&params), [Move::NONE; 2]);
    node.raise("h1h3");
    node.cut("h1h2", 3);
    assert_eq!(node.killers(&params), [node.mv("h1h2"), node.mv("h1h3")]);
    // Only what cuts.
    let mut strict = Params::default();
    strict.killers.raise = false;
    let mut node = Node::new(&strict, START);
    node.raise("a2a3");
    node.cut("b2b3", 3);
    assert_eq!(node.killers(&strict), [node.mv("b2b3"), Move::NONE]);
}

/// ORD-23, MISS-29: depth squared for the move that cut, as much off for those before it.
#[test]
fn history_learns_from_cuts() {
    let params = keeping(&["history.piece_to"]);
    let mut node = Node::new(&params, START);
    node.try_in_vain(&["a2a3", "b2b3"]);
    node.cut("h2h3", 7);
    assert_eq!(
        (node.piece_to("h2h3"), node.piece_to("a2a3"), node.piece_to("b2b3")),
        (49, -49, -49)
    );
    assert_eq!(node.piece_to("h2h4"), 0);
    // In points: the weight's share of 2000.
    assert_eq!(node.quiet("h2h3", &params), 49 * 64 * 256 / 2000);
    // The next search begins with half of it.
    node.heuristics.begin_search(&params);
    assert_eq!((node.piece_to("h2h3"), node.piece_to("a2a3")), (24, -24));
    node.heuristics.clear();
    assert_eq!(node.piece_to("h2h3"), 0);
}

/// The bonus by its parameters, and scores that stop at ±2000 either way.
#[test]
fn history_stays_in_bounds() {
    let mut params = keeping(&["history.piece_to"]);
    let rules = &mut params.history;
    (rules.square, rules.linear, rules.most, rules.malus) = (8, 32, 60, 50);
    let mut node = Node::new(&params, START);
    node.try_in_vain(&["a2a3"]);
    node.cut("h2h3", 4);
    assert_eq!((node.piece_to("h2h3"), node.piece_to("a2a3")), (16, -8));
    node.cut("h2h4", 40);
    assert_eq!(node.piece_to("h2h4"), 60);
    for gravity in [true, false] {
        params.history = crate::params::History { piece_to: true, gravity, ..Default::default() };
        let mut node = Node::new(&params, START);
        node.try_in_vain(&["a2a3"]);
        for _ in 0..40 {
            node.cut("h2h3", 15);
            assert!((1..=2000).contains(&node.piece_to("h2h3")));
        }
        assert_eq!(
            (node.piece_to("h2h3") == 2000, node.piece_to("a2a3") == -2000),
            (!gravity, !gravity)
        );
    }
}

/// Each history by its own key, none when it is off.
#[test]
fn histories_have_keys() {
    let enemy = |to| StackEntry {
        mv: Move::new(Square::A8, to, MoveKind::Quiet),
        piece: Piece::new(Color::Black, Role::Rook),
        ..StackEntry::default()
    };
    let own = |to| StackEntry {
        mv: Move::new(Square::A1, to, MoveKind::Quiet),
        piece: Piece::new(Color::White, Role::Rook),
        ..StackEntry::default()
    };
    for (name, heard, unheard) in [
        ("history.reply", (Square::B8, Square::C1), (Square::C8, Square::B1)),
        ("history.follow_up", (Square::C8, Square::B1), (Square::B8, Square::C1)),
    ] {
        let params = keeping(&[name]);
        let mut node = Node::new(&params, START);
        (node.stack[4], node.stack[3]) = (enemy(Square::B8), own(Square::B1));
        node.cut("h2h3", 10);
        for (line, expected) in [(heard, 819), (unheard, 0)] {
            (node.stack[4], node.stack[3]) = (enemy(line.0), own(line.1));
            assert_eq!(node.quiet("h2h3", &params), expected, "{name}");
        }
        // Behind a null move, and without the switch, nothing is known.
        (node.stack[4], node.stack[3]) = (StackEntry::default(), StackEntry::default());
        assert_eq!(node.quiet("h2h3", &params), 0);
        node.heuristics.begin_search(&keeping(&[]));
        (node.stack[4], node.stack[3]) = (enemy(Square::B8), own(Square::B1));
        assert_eq!(node.quiet("h2h3", &params), 0);
    }
}

/// The papers' H[pt][sq]: castling is the king's move to where it lands, not to the rook's square.
#[test]
fn castling_is_learned_where_the_king_lands() {
    let params = keeping(&["history.piece_to", "history_reduction.on"]);
    let mut node = Node::new(&params, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    node.cut("e1g1", 10);
    let king = node.position.piece_at(Square::E1);
    let of = |sq| node.heuristics.piece_to(king, sq);
    assert!(of(Square::G1) > 0);
    assert_eq!((of(Square::H1), of(Square::C1)), (0, 0));
    node.try_in_vain(&["e1c1"]);
    node.cut("e1g1", 10);
    let share = |sq| node.heuristics.success_share(king, sq);
    assert_eq!([Square::C1, Square::A1, Square::G1].map(share), [0, 100, 100]);
}

/// What a history says counts plainly whatever its weight in the order.
#[test]
fn plain_scores_have_no_weight() {
    let plain = |weight: &str| {
        let mut params = keeping(&["history.piece_to"]);
        params.set("history.piece_to_weight", weight).unwrap();
        let mut node = Node::new(&params, START);
        node.cut("h2h3", 10);
        let rows = node.heuristics.history_rows(&node.position, &node.stack[..], 4);
        node.heuristics.history(&rows, &node.position, node.mv("h2h3"))
    };
    assert!(plain("0") > 0);
    assert_eq!(plain("0"), plain("1"));
}

#[test]
fn captures_have_a_history() {
    let params = keeping(&["history.captures"]);
    let mut node = Node::new(&params, "3r3k/8/8/3p4/4P3/8/8/3RK3 w - - 0 1");
    node.try_in_vain(&["d1d5"]);
    node.cut("e4d5", 10);
    let share = |node: &Node, text: &str| {
        let mv = node.mv(text);
        let piece = node.position.piece_at(mv.from());
        node.heuristics.capture_share(piece, mv.to(), node.position.taken_by(mv), 256)
    };
    assert_eq!((share(&node, "e4d5"), share(&node, "d1d5")), (12, -12));
}

/// RED-16, MISS-02: tries and cuts by piece and target.
#[test]
fn success_is_counted() {
    let params = keeping(&["history_reduction.on"]);
    let mut node = Node::new(&params, START);
    assert_eq!(node.share("h2h3"), 100, "nothing known");
    node.try_in_vain(&["a2a3", "b2b3"]);
    for _ in 0..3 {
        node.cut("h2h3", 2);
    }
    node.try_in_vain(&["h2h3"]);
    node.cut("a2a3", 2);
    assert_eq!((node.share("h2h3"), node.share("a2a3"), node.share("b2b3")), (75, 25, 0));
    for _ in 0..70_000 {
        node.cut("a2a3", 2);
    }
    assert_eq!((node.share("h2h3"), node.share("a2a3")), (0, 99), "no overflow");
}

/// RED-16, MISS-02: where every try counts, so do those behind which another kind of move cut, or none.
#[test]
fn every_try_may_count() {
    let shares = |every_try: &str| {
        let mut params = keeping(&["history_reduction.on"]);
        params.set("history_reduction.every_try", every_try).unwrap();
        let mut node = Node::new(&params, "4k3/8/8/3p4/4P3/8/P6P/4K3 w - - 0 1");
        node.cut("h2h3", 2);
        node.cut("a2a3", 2);
        node.try_in_vain(&["h2h3"]);
        node.cut("e4d5", 2);
        node.heuristics.in_vain(&node.position, &node.tried);
        (node.share("h2h3"), node.share("a2a3"))
    };
    assert_eq!(shares("false"), (100, 100));
    assert_eq!(shares("true"), (33, 100));
}

/// Blocks without a score are left out, and nothing else is.
#[test]
fn every_score_fades_as_often_as_it_is_told_to() {
    const CELLS: usize = 1_000;
    let mut scores = scores::Scores::default();
    scores.fit(true, CELLS);
    let mut expected = [0; CELLS];
    let mut random = 1_usize;
    for round in 0..40 {
        // In the second half nothing is added any more: all of them reach 0.
        for _ in 0..if round < 20 { 7 } else { 0 } {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (cell, bonus) = ((random >> 33) % CELLS, (random >> 50) as i32 % 3_000 - 1_500);
            scores.add(cell, bonus, false);
            expected[cell] = (expected[cell] + bonus).clamp(-2_000, 2_000);
        }
        scores.fade(50);
        expected.iter_mut().for_each(|score| *score = *score * 50 / 100);
        let found: Vec<i32> = (0..CELLS).map(|cell| scores.of(cell)).collect();
        assert_eq!(found, expected, "{round}");
    }
    assert_eq!(expected, [0; CELLS]);
}
