import { type Load, serialLoad, watchOthers } from './requests.ts'

/** Queries of `/x/v1` lists. Disks have two filters. */
const asks = {
  instances: {
    'sorted by creation': 'sort_by=time_created_descending',
    'a tenth of them by state': 'state=failed',
    'the same by memory': 'state=failed&sort_by=memory_descending',
    'a state that none has': 'state=repairing&sort_by=time_created_descending',
    'search that all match': 'search=instance',
    'search that ten match': 'search=STANCE-00001&sort_by=memory_descending',
    'search that none matches': 'search=nobody',
    'search that all nearly match': 'search=an%20instance-',
    'search of two letters': 'search=in&sort_by=memory_descending',
    'search and state, in no row both': 'search=among%20many&state=failed',
    'search and state, in few rows both': 'search=000010&state=failed',
    'a tag that all have': 'tag=env',
    'a tag of a quarter of them': 'tag=env:env-2',
    'a tag of a thousandth of them': 'tag=team:team-7',
    'two tags, in no row both': 'tag=env:env-2,team:team-1',
    'a tag of the last of them': 'tag=only',
    'with a tag, by memory': 'tag=rare&sort_by=memory_descending',
    'a tag in the search': 'search=tag:team=team-7',
    'with the tags of each': 'with=tags',
    'grouped by a tag of 4 values': 'group_by=env&with=tags',
    'grouped by a tag of 1000 values': 'group_by=team&with=tags',
    'grouped by a tag of few of them': 'group_by=rare&with=tags',
    'grouped, with a state': 'group_by=team&state=failed',
    'counted by state': 'count_by=state',
    'counted by state, all match a search': 'count_by=state&search=instance',
    'counted by state, ten match': 'count_by=state&search=STANCE-00001',
  },
  disks: {
    'state and type, in no row both': 'state=faulted&type=local',
    'of a state, counted by type': 'count_by=type&state=faulted',
  },
}

/**
 * First pages of 50 with a search, filters and sorting, compared with the plain list of the same
 * project.
 */
export async function printLists(url: string, cookie: string, projects: Record<string, number>) {
  for (const [project, count] of Object.entries(projects)) {
    const address = (path: string, query: string) =>
      `${url}${path}?project=${project}&limit=50&${query}`
    const plain = await serialLoad(address('/v1/instances', ''), cookie)
    console.log(
      `\nlists of 50 among ${count}, one at a time   p50      p99   of the plain list   others wait`,
    )
    print('plain', plain, plain)
    for (const [things, queries] of Object.entries(asks)) {
      for (const [name, query] of Object.entries(queries)) {
        const others = watchOthers(url)
        const load = await serialLoad(address(`/x/v1/${things}`, query), cookie)
        print(name, load, plain, (await others()).p99)
      }
    }
  }
}

const ms = (value: number): string => `${value.toFixed(1)} ms`.padStart(9)

function print(name: string, { p50, p99 }: Load, plain: Load, waited?: number): void {
  const times = `${ms(p50)}${ms(p99)}`
  const ratio = `${(p50 / plain.p50).toFixed(1)} times`.padStart(14)
  console.log(`${name.padEnd(36)}${times}${ratio}${waited === undefined ? '' : ms(waited)}`)
}
