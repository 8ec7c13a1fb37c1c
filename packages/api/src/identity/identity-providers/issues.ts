import { counted, inPath, issueRule } from '../../observability/issues/rules.ts'

interface Ending {
  name: string
  silo: string
  days: number
}

const page = ({ silo, name }: Ending) => `/system/silos/${inPath(silo)}/idps/saml/${inPath(name)}`

const called = ({ name, silo }: Ending) => `Identity provider ${name} of silo ${silo}`

export const identityProviderIssues = {
  identity_provider_expired: issueRule<Ending>({
    severity: 'critical',
    about: ['saml_identity_provider'],
    sentence: ({ name, silo }) =>
      `The certificates of identity provider ${name} of silo ${silo} have expired`,
    ended: ({ name, silo }) =>
      `The certificates of identity provider ${name} of silo ${silo} are valid again`,
    subject: called,
    path: page,
    next: 'Give it new metadata',
  }),
  identity_provider_expiring: issueRule<Ending>({
    severity: 'warning',
    about: ['saml_identity_provider'],
    sentence: ({ name, silo, days }) =>
      `The certificates of identity provider ${name} of silo ${silo} expire ${days === 0 ? 'today' : `in ${counted(days, 'day')}`}`,
    ended: ({ name, silo }) =>
      `The certificates of identity provider ${name} of silo ${silo} no longer expire soon`,
    subject: called,
    path: page,
    next: 'Give it new metadata',
  }),
}
