import { jobSteps } from './rules.ts'
import { named, oneOf } from '../../schema.ts'

/** A step of a job. Descriptions of deletions name steps, too, and jobs know all kinds of things. */
export const JobStep = named('JobStep', oneOf(...jobSteps))
