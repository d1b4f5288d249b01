//! The examples do what they say: their `main` is run, with its assertions.

#[path = "../examples/catch_me.rs"]
mod catch_me;
#[path = "../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

#[test]
fn tic_tac_toe_is_a_draw() {
    tic_tac_toe::main().expect("it ends");
}

#[test]
fn a_mouse_is_caught_on_a_path_and_not_on_a_ring() {
    catch_me::main().expect("no limits");
}
