//! From a case to what is printed: the outcome, the winning moves that the output speaks about, the lines.
//!
//! Only what the output asks for is worked out. An output that says who wins needs one nim-sum; one that shows a move
//! stops at the first; `count`, `each` and `least` go through all, heap by heap, asking for the options with the one
//! value that makes the nim-sum 0. Where the output speaks of the rule's own variables, and under misere play,
//! [`position::analyse`] is asked instead.

use std::ops::ControlFlow;

use grundy_rule::ast::ParamType;
use grundy_rule::expr::Int;
use grundy_rule::heap::KindId;
use grundy_rule::rule::Value;
use grundy_rule::{Heap, Rule, Span, Sum};
use rustc_hash::FxHashSet;

use super::narrow::Narrow;
use super::place::{self, Place, Spot};
use super::template::{Say, When};
use super::{Bound, Case, Game, Problem, RuleGame};
use crate::error::Error;
use crate::limits::Limits;
use crate::nimber::Nimber;
use crate::position::{self, Position, Question};
use crate::search::{Given, Outcome, Verdict};
use crate::values::Values;

/// How many rules with other parameter values are kept for later cases.
const KEPT: usize = 16;

/// Most entries of one option that a line may speak about.
const LONGEST: u128 = 1 << 20;

/// Answers case after case.
pub(super) struct Answerer<'a> {
    problem: &'a Problem,
    limits: &'a Limits,
    engines: Vec<Engine>,
    frame: Vec<Int>,
    /// The nimbers of the position's entries, in order; those beyond 64 bits are [`ASK_AGAIN`].
    nimbers: Narrow,
    coins: Coins,
}

/// Stands for a nimber that is not kept.
const ASK_AGAIN: u64 = u64::MAX;

/// The coins seen so far. Nearly all have one entry and need no allocation.
#[derive(Default)]
struct Coins {
    /// Of kind 0, with an entry below 2^64.
    single: FxHashSet<u64>,
    others: FxHashSet<Heap>,
}

impl Coins {
    fn clear(&mut self) {
        self.single.clear();
        self.others.clear();
    }

    /// Whether the coin is new.
    fn insert(&mut self, kind: KindId, entries: &[Int]) -> bool {
        if let ([entry], KindId(0)) = (entries, kind)
            && let Ok(entry) = u64::try_from(*entry)
        {
            return self.single.insert(entry);
        }
        self.others.insert(Heap::new(kind, entries))
    }

    #[inline]
    fn insert_long(&mut self, kind: KindId, entry: u64) -> bool {
        match kind {
            KindId(0) => self.single.insert(entry),
            _ => self.insert(kind, &[Int::from(entry)]),
        }
    }
}

/// A rule with values for all parameters.
struct Engine {
    rule: Rule,
    values: Values,
}

/// A winning move as templates see it.
#[derive(Clone, Debug, Default)]
struct Found {
    index: Int,
    from: Vec<Int>,
    to: Vec<Int>,
    variables: Vec<(String, Int)>,
}

/// The moves that the lines have chosen so far.
struct Choice<'a> {
    says: &'a [Say],
    /// For each line: the keys after `least`, and the move.
    best: Vec<Option<(Vec<Int>, Found)>>,
    /// For each line with `each`: what it has printed.
    each: Vec<Vec<u8>>,
    count: u128,
    /// Whether one move is enough.
    first_only: bool,
}

impl<'a> Answerer<'a> {
    pub(super) fn new(problem: &'a Problem, limits: &'a Limits) -> Answerer<'a> {
        let frame = Vec::with_capacity(problem.slots);
        Answerer {
            problem,
            limits,
            engines: Vec::new(),
            frame,
            nimbers: Narrow::default(),
            coins: Coins::default(),
        }
    }

    /// Prints the answer to a case, and says it.
    pub(super) fn answer(
        &mut self,
        case: &mut Case,
        input: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Verdict, Error> {
        let specials = &self.problem.specials;
        case.frame[specials.case] = Int::from(case.number);
        let outcome = match &self.problem.game {
            Game::BuiltIn(game) => {
                let given = self.given(case, input)?;
                match game.verdict(&given, self.limits)? {
                    Verdict::Outcome(outcome) => outcome,
                    Verdict::Score(score) => {
                        case.frame[specials.score] = score;
                        self.say(When::Score, case, None, out)?;
                        return Ok(Verdict::Score(score));
                    }
                }
            }
            Game::Rule(game) => {
                let engine = self.engine(game, case)?;
                let searched = game.misere || game.rule.loopy || !game.rule.has_nimbers();
                let outcome = if searched || self.problem.says.iter().any(|say| say.needs.variables) {
                    self.by_analysis(engine, game, case, input)
                } else {
                    self.by_nimbers(engine, case, input)
                };
                let (outcome, choice) = outcome?;
                self.say(when(outcome), case, choice, out)?;
                return Ok(Verdict::Outcome(outcome));
            }
        };
        self.say(when(outcome), case, None, out)?;
        Ok(Verdict::Outcome(outcome))
    }

    /// The position of a built-in game.
    fn given(&mut self, case: &Case, input: &[u8]) -> Result<Given, Error> {
        if let [Place::Text(text)] = self.problem.places[..] {
            let (start, end) = case.texts[text];
            return Ok(Given::Text(String::from_utf8_lossy(&input[start..end]).into_owned()));
        }
        let mut numbers = Vec::new();
        place::visit(&self.problem.places, case, input, &mut self.frame, &mut |spot| {
            numbers.extend_from_slice(spot.entries);
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(Given::Numbers(numbers))
    }

    /// The engine for the parameters of the case: its number in `engines`.
    fn engine(&mut self, game: &RuleGame, case: &mut Case) -> Result<usize, Error> {
        let same = |engine: &Engine| {
            game.bound.iter().all(|(param, bound)| {
                let known = engine.rule.params[*param].value.as_ref();
                match (bound, known) {
                    (Bound::Number(slot), Some(Value::Number(known))) => case.frame[*slot] == *known,
                    (Bound::List(list), Some(known)) => is_same(case.lists[*list].value.as_ref(), known),
                    _ => false,
                }
            })
        };
        if let Some(found) = self.engines.iter().position(same) {
            return Ok(found);
        }
        let mut rule = game.rule.clone();
        for (param, bound) in &game.bound {
            let param = &mut rule.params[*param];
            param.value = match bound {
                Bound::Number(slot) => Some(Value::Number(case.frame[*slot])),
                Bound::List(list) => as_param(case.lists[*list].value.as_ref(), param.ty),
            };
        }
        let holds = rule.param_cond.eval(&[], &rule.params);
        if !holds.map_err(|error| Error::new(error.id, format!("case {}: {error}", case.number)))? {
            let values: Vec<String> = rule.params.iter().map(|p| p.name.clone()).collect();
            return Err(Error::new(
                "parameter",
                format!(
                    "case {}: the game does not allow these values of {}",
                    case.number,
                    values.join(", ")
                ),
            ));
        }
        let values = Values::new(&rule, Some(&game.file), self.limits.clone())?;
        if self.engines.len() >= KEPT {
            self.engines.remove(0);
        }
        self.engines.push(Engine { rule, values });
        Ok(self.engines.len() - 1)
    }

    /// Normal play: the nim-sum decides.
    fn by_nimbers(
        &mut self,
        engine: usize,
        case: &mut Case,
        input: &[u8],
    ) -> Result<(Outcome, Option<Choice<'a>>), Error> {
        let problem = self.problem;
        let Engine { rule, values } = &mut self.engines[engine];
        let moves_wanted = problem.says.iter().any(|say| say.needs.a_move || say.needs.count);
        let (nimbers, coins) = (&mut self.nimbers, &mut self.coins);
        nimbers.clear();
        coins.clear();
        let mut total: Nimber = 0;
        if let Some((kind, _, list)) = place::one_list(&problem.places, case) {
            // Nearly all large inputs are of this kind.
            let end = list.each_long(|n| {
                if rule.coins && !coins.insert_long(kind, n) {
                    return ControlFlow::Continue(());
                }
                let nimber = match values.long(kind, n) {
                    Ok(nimber) => nimber,
                    Err(error) => return ControlFlow::Break(error),
                };
                total ^= nimber;
                if moves_wanted {
                    nimbers.push_long(u64::try_from(nimber).unwrap_or(ASK_AGAIN));
                }
                ControlFlow::Continue(())
            });
            if let ControlFlow::Break(error) = end {
                return Err(error);
            }
        } else {
            place::visit(&problem.places, case, input, &mut self.frame, &mut |spot| {
                if rule.coins && spot.count > 0 && !coins.insert(spot.kind, spot.entries) {
                    return Ok(ControlFlow::Continue(()));
                }
                let nimber = values.value(spot.kind, spot.entries)?;
                if spot.count % 2 == 1 || rule.coins && spot.count > 0 {
                    total ^= nimber;
                }
                if moves_wanted {
                    nimbers.push_long(u64::try_from(nimber).unwrap_or(ASK_AGAIN));
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        case.frame[problem.specials.nimber] = Int::try_from(total)
            .map_err(|_| Error::new("overflow", format!("the nim-sum {total} does not fit 127 bits")))?;
        if total == 0 {
            return Ok((Outcome::Loss, None));
        }
        if !moves_wanted {
            return Ok((Outcome::Win, None));
        }
        let mut heap = Heap::new(KindId(0), &[0]);
        let mut choice = Choice::new(&problem.says);
        let mut bound = problem.for_templates(case);
        // Takes the moves of one heap into account, of which the nimber is known.
        let mut consider = |spot: Spot<'_>, nimber: Nimber, values: &mut Values| {
            set_heap(&mut heap, spot);
            let mut flow = Ok(ControlFlow::Continue(()));
            values.options_with(&heap, total ^ nimber, &mut |option| {
                flow = entries_of(option).and_then(|to| {
                    let found =
                        Found { index: spot.index, from: spot.entries.to_vec(), to, variables: Vec::new() };
                    choice.add(found, true, problem, case, &mut bound)
                });
                if matches!(flow, Ok(ControlFlow::Continue(()))) {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })?;
            flow
        };
        coins.clear();
        if let Some((kind, first, list)) = place::one_list(&problem.places, case) {
            let (mut index, mut place) = (first.saturating_sub(1), 0);
            let end = list.each_long(|n| {
                index = index.saturating_add(1);
                if rule.coins && !coins.insert_long(kind, n) {
                    return ControlFlow::Continue(());
                }
                let known = nimbers.at_long(place);
                place += 1;
                if known != Some(ASK_AGAIN)
                    && let Some(known) = known
                    && values.long_reaches_less(kind, n, total ^ Nimber::from(known))
                {
                    return ControlFlow::Continue(());
                }
                let entries = &[Int::from(n)];
                let flow = values
                    .long(kind, n)
                    .and_then(|nimber| consider(Spot { index, kind, entries, count: 1 }, nimber, values));
                match flow {
                    Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                    Ok(ControlFlow::Break(())) => ControlFlow::Break(None),
                    Err(error) => ControlFlow::Break(Some(error)),
                }
            });
            if let ControlFlow::Break(Some(error)) = end {
                return Err(error);
            }
        } else {
            let mut known = nimbers.iter();
            place::visit(&problem.places, case, input, &mut self.frame, &mut |spot| {
                if rule.coins && spot.count > 0 && !coins.insert(spot.kind, spot.entries) {
                    return Ok(ControlFlow::Continue(()));
                }
                let nimber = match Nimber::try_from(known.next().expect("one was kept for each entry")) {
                    Ok(known) if known != Nimber::from(ASK_AGAIN) => known,
                    _ => values.value(spot.kind, spot.entries)?,
                };
                if spot.count == 0 || values.reaches_less(spot.kind, spot.entries, total ^ nimber) {
                    return Ok(ControlFlow::Continue(()));
                }
                consider(spot, nimber, values)
            })?;
        }
        Ok((Outcome::Win, Some(choice)))
    }

    /// Misere play, or an output that names the rule's variables.
    fn by_analysis(
        &mut self,
        engine: usize,
        game: &RuleGame,
        case: &mut Case,
        input: &[u8],
    ) -> Result<(Outcome, Option<Choice<'a>>), Error> {
        let problem = self.problem;
        let Engine { rule, values } = &mut self.engines[engine];
        let mut indices = Vec::new();
        let mut written = Vec::new();
        self.coins.clear();
        let coins = &mut self.coins;
        place::visit(&problem.places, case, input, &mut self.frame, &mut |spot| {
            let heap = Heap::new(spot.kind, spot.entries);
            if !rule.coins || spot.count == 0 || coins.insert(spot.kind, spot.entries) {
                indices.push(spot.index);
                written.push((heap, spot.count, Span::default()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let (position, _) = Position::of(rule, written);
        let moves_wanted = problem.says.iter().any(|say| say.needs.a_move || say.needs.count);
        let mut choice = Choice::new(&problem.says);
        let question = Question {
            misere: game.misere,
            loopy: false,
            to_move: None,
            outcome_only: choice.first_only && !moves_wanted,
            first: choice.first_only,
            assignments: problem.says.iter().any(|say| say.needs.variables),
        };
        let analysis = position::analyse(rule, values, &position, &question)?;
        if let Some(nimber) = analysis.nimber {
            case.frame[problem.specials.nimber] = Int::try_from(nimber)
                .map_err(|_| Error::new("overflow", format!("the nim-sum {nimber} does not fit 127 bits")))?;
        }
        let mut bound = problem.for_templates(case);
        for won in &analysis.moves {
            let found = Found {
                index: indices[won.entry],
                from: won.from.entries.to_vec(),
                to: entries_of(&won.to)?,
                variables: Vec::new(),
            };
            let mut flow = ControlFlow::Continue(());
            for (place, assignment) in won.assignments.iter().enumerate() {
                let found = Found { variables: assignment.variables.clone(), ..found.clone() };
                flow = choice.add(found, place == 0, problem, case, &mut bound)?;
                if flow.is_break() {
                    break;
                }
            }
            if won.assignments.is_empty() {
                flow = choice.add(found, true, problem, case, &mut bound)?;
            }
            if flow.is_break() {
                break;
            }
        }
        Ok((analysis.outcome, Some(choice)))
    }

    /// Prints the lines for an outcome.
    fn say(
        &self,
        when: When,
        case: &mut Case,
        choice: Option<Choice<'_>>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let problem = self.problem;
        if !problem.says.iter().any(|say| say.when == when) {
            return Err(Error::new("output", format!("the problem does not say what to print for {when:?}")));
        }
        let count = choice.as_ref().map_or(0, |choice| choice.count);
        case.frame[problem.specials.count] = Int::try_from(count)
            .map_err(|_| Error::new("overflow", "there are more winning moves than can be counted"))?;
        let (mut best, each) = choice.map_or((Vec::new(), Vec::new()), |c| (c.best, c.each));
        for (number, say) in problem.says.iter().enumerate() {
            if say.when == When::Each && when == When::Win {
                out.extend_from_slice(each.get(number).map_or(&[][..], Vec::as_slice));
            }
            if say.when != when {
                continue;
            }
            if say.needs.a_move {
                let Some((_, found)) = best.get_mut(number).and_then(Option::take) else {
                    return Err(Error::new(
                        "output",
                        "a line speaks about a winning move, and none was found",
                    ));
                };
                problem.specials.set(&found, case);
            }
            say.bind(&mut case.frame, &case.lists)?;
            say.print(&case.frame, &case.lists, out)?;
        }
        Ok(())
    }
}

impl<'a> Choice<'a> {
    fn new(says: &'a [Say]) -> Choice<'a> {
        let first_only =
            says.iter().all(|say| say.when != When::Each && say.least.is_empty() && !say.needs.count);
        Choice {
            says,
            best: vec![None; says.len()],
            each: vec![Vec::new(); says.len()],
            count: 0,
            first_only,
        }
    }

    /// Takes a winning move into account; `new` unless it is the same option by other variables.
    fn add(
        &mut self,
        found: Found,
        new: bool,
        problem: &Problem,
        case: &Case,
        bound: &mut Case,
    ) -> Result<ControlFlow<()>, Error> {
        self.count = self.count.saturating_add(u128::from(new));
        let mut set = false;
        for (number, say) in self.says.iter().enumerate() {
            let keep = match say.when {
                When::Each => new,
                When::Win => say.needs.a_move && (self.best[number].is_none() || !say.least.is_empty()),
                When::Lose | When::Draw | When::Score => false,
            };
            if !keep {
                continue;
            }
            found.speak_for(say)?;
            if !set {
                bound.frame.copy_from_slice(&case.frame);
                problem.specials.set(&found, bound);
                set = true;
            }
            if say.when == When::Each {
                say.bind(&mut bound.frame, &bound.lists)?;
                say.print(&bound.frame, &bound.lists, &mut self.each[number])?;
            } else if say.least.is_empty() {
                self.best[number] = Some((Vec::new(), found.clone()));
            } else {
                say.bind(&mut bound.frame, &bound.lists)?;
                let keys = say.keys(&bound.frame, &bound.lists)?;
                if self.best[number].as_ref().is_none_or(|(least, _)| keys < *least) {
                    self.best[number] = Some((keys, found.clone()));
                }
            }
        }
        Ok(if self.first_only { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }
}

impl Found {
    /// Whether a line that says `{from}` or `{to}` without an index can be said of this move.
    fn speak_for(&self, say: &Say) -> Result<(), Error> {
        for (asked, name, entries) in
            [(say.needs.one_from, "from", &self.from), (say.needs.one_to, "to", &self.to)]
        {
            if asked && entries.len() != 1 {
                let message =
                    format!("the output says `{name}`, which is {entries:?} here and not one number");
                return Err(
                    Error::new("output", message).help(format!("`{name}[0]`, `{name}[1]`, `len({name})`"))
                );
            }
        }
        Ok(())
    }
}

impl super::Specials {
    /// Gives the names of templates the values of a move.
    fn set(&self, found: &Found, case: &mut Case) {
        case.frame[self.index] = found.index;
        for ((slot, list), entries) in [(self.from, &found.from), (self.to, &found.to)] {
            case.frame[slot] = entries.first().copied().unwrap_or(0);
            case.lists[list].value = Some(Value::List(entries.clone()));
        }
        for (name, slot) in &self.variables {
            if let Some((_, value)) = found.variables.iter().find(|(known, _)| known == name) {
                case.frame[*slot] = *value;
            }
        }
    }
}

impl Problem {
    /// A copy of the case for the names of templates, without the lists that the output does not mention.
    fn for_templates(&self, case: &Case) -> Case {
        let lists = case.lists.iter().zip(&self.lists).zip(&self.said);
        Case {
            frame: case.frame.clone(),
            lists: lists
                .map(|((full, empty), said)| if *said { full.clone() } else { empty.clone() })
                .collect(),
            narrow: Vec::new(),
            texts: Vec::new(),
            number: case.number,
        }
    }
}

/// A list of the input as the value of a parameter of that type.
fn as_param(list: Option<&Value>, ty: ParamType) -> Option<Value> {
    match (list?, ty) {
        (Value::List(values), ParamType::Set) => {
            let mut set = values.clone();
            set.sort_unstable();
            set.dedup();
            Some(Value::Set(set))
        }
        (other, _) => Some(other.clone()),
    }
}

/// Whether a list of the input is the value that a parameter has.
fn is_same(list: Option<&Value>, known: &Value) -> bool {
    match known {
        Value::Set(_) => as_param(list, ParamType::Set).as_ref() == Some(known),
        _ => list == Some(known),
    }
}

fn when(outcome: Outcome) -> When {
    match outcome {
        Outcome::Win => When::Win,
        Outcome::Loss => When::Lose,
        Outcome::Draw => When::Draw,
    }
}

fn set_heap(heap: &mut Heap, spot: Spot<'_>) {
    heap.kind = spot.kind;
    if heap.entries.len() == spot.entries.len() {
        heap.entries.copy_from_slice(spot.entries);
    } else {
        heap.entries = spot.entries.into();
    }
}

/// The entries of the heaps of an option, heap after heap.
fn entries_of(option: &Sum) -> Result<Vec<Int>, Error> {
    let mut entries = Vec::new();
    for (heap, count) in option.heaps() {
        let length = u128::try_from(heap.entries.len()).unwrap_or(u128::MAX).saturating_mul(*count);
        if length > LONGEST {
            return Err(Error::new(
                "output",
                format!("a move leaves {count} heaps: too many to speak about"),
            ));
        }
        for _ in 0..*count {
            entries.extend_from_slice(&heap.entries);
        }
    }
    Ok(entries)
}
