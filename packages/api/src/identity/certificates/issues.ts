import { counted, inPath, issueRule } from '../../observability/issues/rules.ts'

interface Ending {
  name: string
  silo: string
  /** Whether it is the caller's silo, where the caller can replace it. */
  own: boolean
  days: number
}

const page = ({ own, silo }: Ending) => (own ? '/certificates' : `/system/silos/${inPath(silo)}`)

export const certificateIssues = {
  certificate_expired: issueRule<Ending>({
    severity: 'critical',
    about: ['certificate'],
    sentence: ({ name, silo }) => `Certificate ${name} of silo ${silo} has expired`,
    path: page,
    next: 'Replace it',
  }),
  certificate_expiring: issueRule<Ending>({
    severity: 'warning',
    about: ['certificate'],
    sentence: ({ name, silo, days }) =>
      `Certificate ${name} of silo ${silo} expires ${days === 0 ? 'today' : `in ${counted(days, 'day')}`}`,
    path: page,
    next: 'Replace it',
  }),
}
