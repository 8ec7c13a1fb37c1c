import { counted, inPath, issueRule, type ReadWithin } from '../../observability/issues/rules.ts'

interface Ending {
  name: string
  silo: string
  /** Whether it is the caller's silo, where the caller can replace it. */
  own: boolean
  days: number
  within?: ReadWithin
}

const called = ({ name, silo, within }: Pick<Ending, 'name' | 'silo' | 'within'>) =>
  `Certificate ${name}${within ? '' : ` of silo ${silo}`}`

const page = ({ own, silo }: Ending) => (own ? '/certificates' : `/system/silos/${inPath(silo)}`)

export const certificateIssues = {
  certificate_expired: issueRule<Ending>({
    severity: 'critical',
    about: ['certificate'],
    sentence: (ending) => `${called(ending)} has expired`,
    ended: (ending) => `${called(ending)} is valid again`,
    subject: called,
    path: page,
    next: 'Replace it',
  }),
  certificate_expiring: issueRule<Ending>({
    severity: 'warning',
    about: ['certificate'],
    sentence: ({ days, ...ending }) =>
      `${called(ending)} expires ${days === 0 ? 'today' : `in ${counted(days, 'day')}`}`,
    ended: (ending) => `${called(ending)} no longer expires soon`,
    subject: called,
    path: page,
    next: 'Replace it',
  }),
}
