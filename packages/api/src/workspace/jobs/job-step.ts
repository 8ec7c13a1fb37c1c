import { jobSteps } from './rules.ts'
import { named, oneOf } from '../../schema.ts'

/**
 * A step of a job. Separate, because descriptions of deletions use steps too, and jobs depend on
 * all kinds.
 */
export const JobStep = named('JobStep', oneOf(...jobSteps))
