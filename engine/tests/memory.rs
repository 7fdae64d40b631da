//! What an engine costs besides its hash table: thousands of them play at once.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use engine::{Engine, HashSize, Limits, Params, Position, Setup};

/// Counts the bytes in use.
struct Counting;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: both calls are handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that an engine with these parameters keeps after a search, hash and setup apart.
fn idle(params: &Params) -> usize {
    let setup = Arc::new(Setup::new(&Arc::new(params.clone())));
    let before = IN_USE.load(Ordering::Relaxed);
    let mut engine = Engine::with_setup(&setup, HashSize::MIN);
    let limits = Limits { depth: Some(4), ..Limits::default() };
    engine.search(&Position::startpos(), &limits, &());
    let after = IN_USE.load(Ordering::Relaxed);
    drop(engine);
    after - before - HashSize::MIN.bytes()
}

/// One test, so that nobody else allocates meanwhile. What `default` keeps beyond the limit are the
/// two large histories, which a runner of thousands of games may turn off.
#[test]
fn an_idle_engine_is_small() {
    const LIMIT: usize = 256 << 10;
    for name in ["default", "rebel"] {
        let mut params = Params::personality(name).expect("known");
        (params.history.reply, params.history.follow_up) = (false, false);
        let bytes = idle(&params);
        assert!(bytes <= LIMIT, "{name}: {bytes}");
    }
    let mut params = Params::default();
    for name in [
        "killers.historic",
        "killers.counter",
        "history.piece_to",
        "history.captures",
        "history_reduction.on",
        "history_pst.on",
    ] {
        params.set(name, "true").expect(name);
    }
    let bytes = idle(&params);
    assert!(bytes <= LIMIT, "every small table: {bytes}");
    // The two large ones say in the parameter table what they cost.
    for name in ["history.reply", "history.follow_up"] {
        let mut large = Params::default();
        large.set(name, "true").expect(name);
        let more = idle(&large) - idle(&Params::default());
        assert!((570 << 10..=580 << 10).contains(&more), "{name}: {more}");
    }
}
