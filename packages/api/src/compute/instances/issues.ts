import { inPath, issueRule } from '../../observability/issues/rules.ts'

/** An instance that has been on its way to another state for longer is stuck. Milliseconds. */
export const STUCK_AFTER_MS = 10 * 60 * 1000

interface Place {
  name: string
  project: string
  silo: string
  /** Whether it is in the silo of the caller; operators do not see projects of others. */
  own: boolean
}

const page = ({ name, project, silo, own }: Place) =>
  own
    ? `/projects/${inPath(project)}/instances/${inPath(name)}/storage`
    : `/system/silos/${inPath(silo)}`

const called = ({ name, project, silo }: Place) =>
  `Instance ${name} of project ${project} in silo ${silo}`

export const instanceIssues = {
  instance_failed: issueRule<Place & { reason: string | null }>({
    severity: 'warning',
    about: ['instance'],
    sentence: ({ reason, ...place }) => `${called(place)} has failed${reason ? `: ${reason}` : ''}`,
    path: page,
  }),
  instance_stuck: issueRule<Place & { state: string }>({
    severity: 'warning',
    about: ['instance'],
    sentence: ({ state, ...place }) => `${called(place)} is stuck in state ${state}`,
    path: page,
  }),
}
