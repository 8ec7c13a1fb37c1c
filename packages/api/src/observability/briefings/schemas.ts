import { boolean, dateTime, list, named, oneOf, record, string, uuid } from '../../schema.ts'
import { firstStepNames } from './steps.ts'
import { sentenceTones } from './sentences.ts'

const BriefingPart = record('BriefingPart', {
  /** The words, or the time as in `time_told`. */
  text: string,
  /** Page of the console that the words speak of. */
  path: string.nullable(),
  /** Moment to show in the reader's format, instead of the words. */
  time_told: dateTime.nullable(),
})

const BriefingSentence = record('BriefingSentence', {
  tone: named('BriefingTone', oneOf(...sentenceTones)),
  /** The sentence, with its punctuation. */
  parts: list(BriefingPart),
})

const BriefingStep = record('BriefingStep', {
  step: named('BriefingStepName', oneOf(...firstStepNames)),
  title: string,
  /** What the step is good for. */
  why: string,
  /** Label of the button. */
  action: string,
  /** Page of the console to which the button leads. */
  path: string,
  done: boolean,
})

/** How things are in a place, and what to do next there. */
export const Briefing = record('Briefing', {
  /** Id of the place: a project, a silo, the fleet or an instance. */
  place: uuid,
  /** Failed instances, then how the place is doing, then the rest of what needs attention. */
  sentences: list(BriefingSentence),
  /** The first steps that the caller has the rights for, in their order; none for an instance. */
  steps: list(BriefingStep),
  /** Whether the caller has dismissed the steps. */
  dismissed: boolean,
})
