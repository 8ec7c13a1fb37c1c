/** Tags of the projects and instances, and a note of the shop's first server. */
import type { Cloud } from './cloud.ts'
import { must } from './cloud.ts'
import type { Moment } from './timeline.ts'

const teams: Record<string, string> = {
  storefront: 'web',
  'data-platform': 'data',
  'ci-runners': 'platform',
}

const note = `# Web server of the shop

Behind the load balancer, one of a pair.

- **Deploys** drain it first: \`shopctl drain web-1\`
- Logs go to the data platform
- Restart it only in the [maintenance window](https://wiki.example.com/shop/windows)
`

/** Tags of an instance, by its name. */
const tagsOf = (team: string, name: string): string[] => [
  `team:${team}`,
  name.includes('staging') || name.includes('dev') ? 'env:staging' : 'env:prod',
  ...(/postgres|clickhouse|kafka/.test(name) ? ['backup:daily'] : []),
]

async function tagAll({ api }: Cloud): Promise<void> {
  for (const [project, team] of Object.entries(teams)) {
    const { id } = must(await api.projectView({ path: { project } }))
    const body = { set: [`team:${team}`, 'cost-center:4200'] }
    must(await api.tagsChange({ path: { kind: 'project', thing: id }, body }))
    const { items } = must(await api.instanceList({ query: { project } }))
    for (const { id: thing, name } of items) {
      const path = { kind: 'instance', thing } as const
      must(await api.tagsChange({ path, body: { set: tagsOf(team, name) } }))
      if (name === 'web-1') must(await api.noteReplace({ path, body: { text: note } }))
    }
  }
}

export const tagMoments: Moment[] = [{ daysAgo: 3, happen: tagAll }]
