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

type Place = Pick<FailedSchedule, 'name' | 'project' | 'silo' | 'within'>

const placed = ({ name, project, silo, within }: Place) =>
  `${name}${placeWords(project, silo, within)}`

export const scheduleIssues = {
  schedule_failed: issueRule<FailedSchedule>({
    severity: 'warning',
    about: ['schedule'],
    sentence: ({ number, reason, ...schedule }) =>
      `Run ${number} of schedule ${placed(schedule)} has failed: ${reason}`,
    ended: (schedule) => `Schedule ${placed(schedule)} is no longer failing`,
    subject: (schedule) => `Schedule ${placed(schedule)}`,
    path: ({ name, project, silo, own }) =>
      own
        ? `/projects/${inPath(project)}/schedules/${inPath(name)}`
        : `/system/silos/${inPath(silo)}`,
  }),
}
