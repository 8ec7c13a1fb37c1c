import { inPath, issueRule } from '../../observability/issues/rules.ts'

const about = ['switch_port', 'switch_port_settings'] as const
const pathOf = ({ id }: { id: string }) => `/system/networking/switch-ports/${inPath(id)}`

export const switchPortIssues = {
  link_down: issueRule<{ link: string; port: string; id: string }>({
    severity: 'critical',
    about,
    sentence: ({ link, port }) => `Link ${link} of ${port} is down`,
    ended: ({ link, port }) => `Link ${link} of ${port} is no longer down`,
    path: pathOf,
    next: 'See the port',
  }),
  switch_port_without_link: issueRule<{ port: string; id: string }>({
    severity: 'warning',
    about,
    sentence: ({ port }) => `${port} has settings without a link`,
    ended: ({ port }) => `${port} no longer has settings without a link`,
    path: pathOf,
    next: 'See the port',
  }),
  /** Only if another switch has an uplink: a rack that is not connected yet has no issue. */
  switch_without_uplink: issueRule<{ switch: string }>({
    severity: 'warning',
    about,
    sentence: ({ switch: slot }) =>
      `No port of ${slot} is configured, so the rack has at most one uplink path`,
    ended: ({ switch: slot }) => `${slot} no longer lacks an uplink that another switch has`,
    path: () => '/system/networking/switch-ports',
    next: 'Apply settings to a port',
  }),
}
