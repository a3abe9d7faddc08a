//! Issuing by rules: what holds an I/O back, what has to happen before the next one, and how much
//! may be issued at all. A worker whose streams issue whenever a slot comes free does not come here.

use std::io;

use ioengine::{Completion, Nanos, Operation, Request};

use super::{
    Run, Worker,
    failures::Unwhole,
    settle::{Window, record_extras, stats_of},
};
use crate::{
    offsets::Next,
    plan::Direction,
    runner::{lane::Lane, pacing::Pacer},
};

/// What a worker's rules need to remember.
#[derive(Debug)]
pub(super) struct Rules {
    apply: bool,
    phase: Phase,
    /// One for each slot.
    tickets: Vec<Ticket>,
    /// A write has made room for reads that it copies.
    room_for_reads: bool,
}

/// How far the worker is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// It issues what its streams say.
    Load,
    /// A limit is reached: only what belongs to earlier I/Os is still issued.
    Debts,
    /// It issues nothing more.
    Over,
}

/// What is to be known of a slot's I/O, and of its next one.
#[derive(Debug, Clone, Copy, Default)]
struct Ticket {
    /// When the I/O was due, in an open loop.
    due: Nanos,
    /// It was counted against the limits, and so it counts.
    claimed: bool,
    /// The flush that comes next.
    flush: Option<Operation>,
    /// The slot went over the range as often as it may.
    walked: bool,
}

/// Whether a stream may issue.
enum Permit {
    Now,
    /// Not before this time.
    At(Nanos),
    /// Not before something completes.
    Later,
}

/// What became of an idle slot.
enum Attempt {
    Issued,
    /// Until this time, or until something completes.
    Held(Option<Nanos>),
}

impl Rules {
    pub(super) fn of(worker: &Worker) -> Self {
        let apply = worker.allowance.is_some()
            || worker.verifier.is_some()
            || worker.lanes.iter().any(Lane::has_rules);
        let slots = if apply { worker.slots.len() } else { 0 };
        Self {
            apply,
            phase: Phase::Load,
            tickets: vec![Ticket::default(); slots],
            room_for_reads: false,
        }
    }

    /// Whether there are any.
    #[inline]
    pub(super) fn apply(&self) -> bool {
        self.apply
    }

    /// Nothing more is issued.
    #[inline]
    pub(super) fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// From now on only what belongs to earlier I/Os is issued.
    pub(super) fn pay_debts(&mut self) {
        self.phase = Phase::Debts;
    }

    /// The slot's next operation counts, whatever the limits have become.
    pub(super) fn count(&mut self, slot: u32) {
        if let Some(ticket) = self.tickets.get_mut(slot as usize) {
            ticket.claimed = true;
        }
    }
}

impl Run {
    /// Issues on every idle slot that may; returns when the next held-back I/O is due.
    #[inline(never)]
    pub(super) fn issue_by_rules(&mut self, time: Nanos) -> io::Result<Option<Nanos>> {
        let allowance = self.worker.allowance.as_ref();
        if self.rules.phase == Phase::Load && allowance.is_some_and(|a| a.is_over()) {
            self.rules.phase = Phase::Over;
        }
        let mut held_until: Option<Nanos> = None;
        loop {
            self.rules.room_for_reads = false;
            for _ in 0..self.idle.len() {
                if self.rules.is_over() {
                    return Ok(None);
                }
                let Some(slot) = self.idle.pop_front() else {
                    break;
                };
                match self.attempt(slot, time)? {
                    Attempt::Issued if self.worker.synchronous => return Ok(held_until),
                    Attempt::Issued => {}
                    Attempt::Held(until) => {
                        self.idle.push_back(slot);
                        held_until = until.into_iter().chain(held_until).min();
                    }
                }
            }
            if !self.rules.room_for_reads {
                break;
            }
        }
        if held_until.is_none() && self.worker.engine.in_flight() == 0 {
            // Nothing is due and nothing will complete.
            self.rules.phase = Phase::Over;
        }
        Ok(held_until)
    }

    fn attempt(&mut self, slot: u32, time: Nanos) -> io::Result<Attempt> {
        let place = slot as usize;
        if let Some(operation) = self.rules.tickets[place].flush.take() {
            let stream = self.worker.slots[place].stream;
            self.flush(slot, stream, operation)?;
            return Ok(Attempt::Issued);
        }
        // `None` is a stream that is drawn with the I/O: it cannot be held back.
        let stream = self.worker.sequencer.next_stream(place);
        let permit = match stream {
            Some(stream) => self.permit(stream, place, time),
            None if self.rules.phase == Phase::Load => Permit::Now,
            None => Permit::Later,
        };
        match permit {
            Permit::Now => {}
            Permit::At(due) => return Ok(Attempt::Held(Some(due))),
            Permit::Later => return Ok(Attempt::Held(None)),
        }
        let Some(next) = self.draw(stream, place, time) else {
            return Ok(Attempt::Held(None));
        };
        if !self.claim(place, &next, time) {
            return Ok(Attempt::Held(None));
        }
        self.account(place, &next, time);
        self.hand_over(slot, next)?;
        Ok(Attempt::Issued)
    }

    /// Whether `stream` may issue on the slot at `place`.
    fn permit(&self, stream: usize, place: usize, time: Nanos) -> Permit {
        let lanes = &self.worker.lanes;
        let lane = &lanes[stream];
        let copies = lane.copying.from.is_some();
        if copies && lane.copying.unwritten == 0 {
            return Permit::Later;
        }
        if self.rules.phase != Phase::Load {
            return if copies { Permit::Now } else { Permit::Later };
        }
        let full = |copier: &usize| lanes[*copier].copying.unwritten >= lanes[*copier].slots.into();
        if lane.walking == 0
            || self.rules.tickets[place].walked
            || lane.copying.by.iter().any(full)
            || lane.in_flight >= lane.slots_now()
        {
            return Permit::Later;
        }
        match lane.pacer.due(lane.block) {
            Nanos::NEVER => Permit::Later,
            due if due > time => Permit::At(due),
            _ => Permit::Now,
        }
    }

    /// What the slot does next; `None` if its stream went over its range as often as it may.
    fn draw(&mut self, stream: Option<usize>, place: usize, time: Nanos) -> Option<Next> {
        let Worker {
            lanes,
            sequencer,
            allowance,
            ..
        } = &mut self.worker;
        let Some(lane) = stream.and_then(|stream| lanes.get_mut(stream)) else {
            return Some(sequencer.next(place));
        };
        if let (Some(gather), Pacer::Scheduled(schedule)) = (&mut lane.gather, &mut lane.pacer) {
            return Some(sequencer.next_of(place, gather.load(schedule, time)));
        }
        let passes = allowance.as_ref().and_then(|allowance| allowance.passes());
        let (Some(passes), true) = (passes, lane.walks) else {
            return Some(sequencer.next(place));
        };
        let next = sequencer.next_within(place, passes);
        if next.is_none() {
            self.rules.tickets[place].walked = true;
            lane.walking -= 1;
            if let (0, Some(allowance)) = (lane.walking, allowance) {
                allowance.walked();
            }
        }
        next
    }

    /// Asks the limits of the measured time for an I/O; before it there are none. A read that is
    /// copied asks for its writes too, which therefore never come too late.
    fn claim(&mut self, place: usize, next: &Next, time: Nanos) -> bool {
        let Some(allowance) = &self.worker.allowance else {
            return true;
        };
        let copying = &mut self.worker.lanes[next.stream as usize].copying;
        if copying.from.is_some() {
            self.rules.tickets[place].claimed = copying.redeem();
            return true;
        }
        let measured = time >= self.worker.timeline.measure_from();
        self.rules.tickets[place].claimed = measured;
        let operations = 1 + copying.by.len() as u64;
        let bytes = u64::from(next.length) + copying.copied_bytes;
        if measured && !allowance.claim(operations, bytes) {
            self.rules.phase = Phase::Over;
            return false;
        }
        true
    }

    /// The I/O is issued: the meters run on.
    fn account(&mut self, place: usize, next: &Next, time: Nanos) {
        let (from, to) = (
            self.worker.timeline.measure_from(),
            self.worker.timeline.measure_to(),
        );
        let worker = &mut self.worker;
        let stream = next.stream as usize;
        let lane = &mut worker.lanes[stream];
        let ticket = &mut self.rules.tickets[place];
        lane.in_flight += 1;
        let behind = |due: Nanos| u64::from(time >= to && due >= from && due < to);
        if let Some(gather) = &lane.gather {
            gather.each(|due| worker.streams[stream].behind += behind(due));
        } else {
            if let Pacer::Scheduled(schedule) = &lane.pacer {
                ticket.due = schedule.due();
                worker.streams[stream].behind += behind(ticket.due);
            }
            lane.pacer.issue(next.length, time);
        }
        if let (Some(verifier), Direction::Read) = (&mut worker.verifier, next.direction) {
            verifier.begin_read(stream, place, next.offset, next.length);
        }
        if next.direction == Direction::Write {
            ticket.flush = lane.flushing.after_write();
            let bytes = worker.slots[place].write_bytes();
            if let Some(verifier) = &mut worker.verifier {
                let bytes = &mut bytes[..next.length as usize];
                verifier.begin_write(stream, place, next.offset, bytes);
            } else if lane.stamped {
                worker.stamp.put(&mut bytes[..next.length as usize]);
            }
            if lane.copying.from.is_some() {
                lane.copying.unwritten -= 1;
                self.rules.room_for_reads |= lane.copying.unwritten + 1 == u64::from(lane.slots);
            }
        }
    }

    /// Flushes the file of `stream`.
    pub(super) fn flush(&mut self, tag: u32, stream: u32, operation: Operation) -> io::Result<()> {
        let slot = &mut self.worker.slots[tag as usize];
        slot.stream = stream;
        let request = Request {
            operation,
            file: self.worker.lanes[stream as usize].file,
            length: 0,
            tag,
            offset: 0,
            // It transfers nothing, but every request owns a buffer.
            buffer: slot.take(Direction::Write),
            source: None,
        };
        self.submit(request)
    }

    /// Counts what completed, and lets go of what waited for it.
    #[inline(never)]
    pub(super) fn settle_by_rules(&mut self, completion: Completion, window: Window) {
        let Completion {
            request,
            result,
            issued,
            initiated,
            completed,
        } = completion;
        let ticket = self.rules.tickets[request.tag as usize];
        let slot = &mut self.worker.slots[request.tag as usize];
        if let Some(verifier) = &mut self.worker.verifier {
            verifier.end(slot.stream as usize, &request, result == Ok(request.length));
        }
        slot.put(request.buffer);
        self.idle.push_back(request.tag);
        let decisive = if window.by_issue { issued } else { completed };
        let whole = Whole {
            stream: slot.stream as usize,
            operation: request.operation,
            bytes: request.length,
            issued,
            initiated,
            completed,
            // What was counted against a limit counts, on whichever side of a border its stamp is.
            measured: if self.worker.allowance.is_some() {
                ticket.claimed
            } else {
                decisive >= window.from && decisive < window.to
            },
        };
        let lane = &mut self.worker.lanes[whole.stream];
        if whole.operation.transfers() {
            lane.in_flight -= 1;
            lane.pacer.complete(completed);
        }
        if result == Ok(request.length) {
            if !whole.measured && decisive >= window.to && issued < window.to {
                self.late_ns = self.late_ns.max(completed.since(issued));
            }
            self.count_by_rules(&whole, &ticket, window.from);
            self.let_go(&whole, ticket.claimed);
            return;
        }
        if let Some(gather) = &mut lane.gather {
            gather.unload(|_| ());
        }
        let what = Unwhole {
            stream: whole.stream,
            operation: whole.operation,
            offset: request.offset,
            length: request.length,
            completed,
            measured: whole.measured,
        };
        self.unwhole(&what, result);
    }

    /// The figures of a whole operation.
    fn count_by_rules(&mut self, whole: &Whole, ticket: &Ticket, from: Nanos) {
        let figures = &mut self.worker.streams[whole.stream];
        let lane = &mut self.worker.lanes[whole.stream];
        if whole.measured {
            let stats = stats_of(figures, whole.operation);
            let latency = whole.completed.since(whole.issued);
            stats.record(whole.completed.since(from), latency, whole.bytes.into());
            if self.worker.extras {
                record_extras(stats, latency, whole.initiated.since(whole.issued));
                self.worker.windows.record(
                    whole.stream,
                    whole.operation,
                    whole.completed,
                    latency,
                    whole.bytes.into(),
                );
            }
            // Room was made where I/Os are due at times of their own.
            let responds = whole.operation.transfers() && stats.response.is_reserved();
            if responds && lane.gather.is_none() {
                let response = whole.completed.since(ticket.due);
                stats.response.record(response);
                let windows = &mut self.worker.windows;
                windows.respond(whole.stream, whole.operation, response);
            }
        }
        if let (Some(gather), None) = (&mut lane.gather, ticket.flush) {
            // The records are safe: with the write, or with the flush that followed it.
            let response = &mut figures.write.response;
            let windows = &mut self.worker.windows;
            gather.unload(|due| {
                if whole.measured {
                    let ns = whole.completed.since(due);
                    response.record(ns);
                    windows.respond(whole.stream, Operation::Write, ns);
                }
            });
        }
    }

    /// What waited for a whole operation, which was counted against the limits or was not.
    fn let_go(&mut self, whole: &Whole, claimed: bool) {
        let lanes = &mut self.worker.lanes;
        if whole.operation.transfers() {
            lanes[whole.stream].last_ns = whole.completed.since(whole.issued);
        }
        if whole.operation == Operation::Read {
            for number in 0..lanes[whole.stream].copying.by.len() {
                let copier = lanes[whole.stream].copying.by[number];
                lanes[copier].copying.add(claimed);
            }
        }
    }
}

/// An operation that did all that it was asked for.
struct Whole {
    stream: usize,
    operation: Operation,
    bytes: u32,
    issued: Nanos,
    initiated: Nanos,
    completed: Nanos,
    /// It belongs to the measured time.
    measured: bool,
}
