/** Evaluates the due rules, round by round, on one server at a time. */
import {
  RULE_INTERVAL_MS,
  RULE_REST_FACTOR,
  RULE_ROUND_MAX_MS,
  RULE_ROUND_MS,
  RULE_TIME_MAX_MS,
} from '@steading/api/rules'
import { yieldToEventLoop } from '../../../kernel/event-loop.ts'
import type { EventFeed } from '../../../kernel/events/feed.ts'
import type { Settings } from '../../../kernel/settings.ts'
import { createTask, type Task } from '../../../kernel/task.ts'
import { createTaskLease } from '../../../kernel/task-lease.ts'
import {
  evaluateRule,
  type Evaluation,
  type EvaluationParts,
  writeEvaluations,
} from './evaluate.ts'
import { iso, type RuleRow } from './wire.ts'

export interface EvaluatorParts extends EvaluationParts {
  feed: Pick<EventFeed, 'notify'>
  log: Settings['log']
}

export interface Evaluator extends Task {
  /** Evaluates the due rules, within the limit of a round. */
  round: () => Promise<void>
}

/** Rules per query. */
const PIECE = 50
/**
 * The longest possible delay; a rule due later was postponed before the clock was set back.
 * Milliseconds.
 */
const LONGEST_REST_MS = RULE_INTERVAL_MS + 2 * RULE_TIME_MAX_MS * RULE_REST_FACTOR

export function createEvaluator(parts: EvaluatorParts): Evaluator {
  const { database, store, clock, feed, log } = parts
  const { db } = database
  const readsHere = async () => !store || !(await store.isElsewhere())
  const lease = createTaskLease(database, 'alert-rules', log, readsHere)

  const dueRules = (): Promise<RuleRow[]> => {
    const now = clock()
    const latest = iso(now.getTime() + LONGEST_REST_MS)
    return db
      .selectFrom('alert_rule')
      .selectAll()
      .where((eb) => eb.or([eb('time_due', '<=', now.toISOString()), eb('time_due', '>', latest)]))
      .orderBy('time_due')
      .limit(PIECE)
      .execute()
  }

  /** Postpones rules after an internal error, so that others need not wait. */
  async function putOff(rules: readonly RuleRow[], error: unknown): Promise<void> {
    const ids = rules.map(({ id }) => id)
    log(`evaluating the alert rules ${ids.join()} failed`, error)
    await db
      .updateTable('alert_rule')
      .set({ time_due: iso(clock().getTime() + RULE_INTERVAL_MS) })
      .where('id', 'in', ids)
      .where('time_due', 'is not', null)
      .execute()
  }

  const write = (evaluations: readonly Evaluation[]) =>
    writeEvaluations(database, evaluations).catch((error) =>
      putOff(
        evaluations.map(({ rule }) => rule),
        error,
      ),
    )

  async function evaluateDue(isWanted: () => boolean): Promise<void | 'elsewhere'> {
    if (!(await lease.take())) return 'elsewhere'
    const end = performance.now() + RULE_ROUND_MAX_MS
    const isActive = () => isWanted() && lease.held() && performance.now() < end
    /**
     * Rules that were not postponed, such as one of a project being deleted, wait for the next
     * round.
     */
    const done = new Set<string>()
    while (isActive()) {
      const rules = (await dueRules()).filter(({ id }) => !done.has(id))
      /**
       * Evaluations without alerts are written together, as commits would take most of the time.
       */
      const quiet: Evaluation[] = []
      for (const rule of rules) {
        if (!isActive()) break
        done.add(rule.id)
        const evaluation = await evaluateRule(parts, rule).catch((error) => putOff([rule], error))
        if (evaluation?.raises) await write([evaluation])
        else if (evaluation) quiet.push(evaluation)
        await yieldToEventLoop()
      }
      if (quiet.length > 0) await write(quiet)
      if (rules.length === 0) break
    }
    if (done.size > 0) feed.notify()
    return undefined
  }

  const options = { name: 'evaluating alert rules', every: RULE_ROUND_MS, lease }
  const task = createTask(parts, options, evaluateDue)
  return { ...task, round: task.now }
}
