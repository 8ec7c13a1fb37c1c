import { inPath, issueRule, placeWords, type ReadWithin } from '../../observability/issues/rules.ts'

interface FailedSchedule {
  name: string
  project: string
  silo: string
  /** Whether it is in the caller's silo; operators do not see projects of other silos. */
  own: boolean
  within?: ReadWithin
  number: number
  reason: string
}

export const scheduleIssues = {
  schedule_failed: issueRule<FailedSchedule>({
    severity: 'warning',
    about: ['schedule'],
    sentence: ({ name, project, silo, within, number, reason }) =>
      `Run ${number} of schedule ${name}${placeWords(project, silo, within)} has failed: ${reason}`,
    path: ({ name, project, silo, own }) =>
      own
        ? `/projects/${inPath(project)}/schedules/${inPath(name)}`
        : `/system/silos/${inPath(silo)}`,
  }),
}
