/** The hosts of a database URL, in the syntax of libpq. */

/** More are a mistake, and each may take seconds to try. */
const MAX_HOSTS = 16

const SHAPE = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)([^?]*)(?:\?(.*))?$/s

/** The parameter for the kind of host to use; all sessions of this program write. */
const SESSION_ATTRIBUTES = 'target_session_attrs'
const writingSessions = ['read-write', 'primary', 'any']

/** Parameters for libpq only: this program tries the hosts in the order of the URL. */
const ignored = new Set([SESSION_ATTRIBUTES, 'load_balance_hosts'])

/** The reason a database URL cannot be used; it quotes no part that may be secret. */
export class DatabaseUrlError extends Error {}

const notUrl = (): DatabaseUrlError =>
  new DatabaseUrlError('must be a URL like postgres://user:password@host:5432/database')

/**
 * Splits a URL with several hosts, `postgres://host1:5432,host2:5432/…` or `postgres:///…?host=…`,
 * into a URL for each host.
 * @throws DatabaseUrlError
 */
export function hostUrls(text: string): string[] {
  const [, scheme, login, authority, path, query = ''] = SHAPE.exec(text) ?? []
  if (scheme === undefined) throw notUrl()
  const credentials = login === undefined ? '' : `${login}@`
  const parameters = query.split('&').filter((parameter) => parameter !== '')
  const nameOf = (parameter: string) => parameter.split('=', 1)[0]!
  const valuesOf = (name: string): string[] | undefined => {
    const parameter = parameters.findLast((one) => nameOf(one) === name)
    if (parameter === undefined) return undefined
    try {
      return decodeURIComponent(parameter.slice(name.length + 1)).split(',')
    } catch {
      throw notUrl()
    }
  }
  const wanted = valuesOf(SESSION_ATTRIBUTES)?.join(',')
  if (wanted !== undefined && !writingSessions.includes(wanted)) {
    throw new DatabaseUrlError(
      `must have ${writingSessions[0]} as ${SESSION_ATTRIBUTES}, because a server writes`,
    )
  }
  const urlOf = (host: string, extra: string[], without: ReadonlySet<string>): string => {
    const kept = parameters.filter((parameter) => !without.has(nameOf(parameter)))
    const all = [...kept, ...extra]
    const url = `${scheme}${credentials}${host}${path}${all.length > 0 ? `?${all.join('&')}` : ''}`
    if (!URL.canParse(url)) throw notUrl()
    return url
  }
  const hosts = valuesOf('host')
  const given = hosts ?? authority!.split(',')
  if (given.length > MAX_HOSTS) throw new DatabaseUrlError(`has more than ${MAX_HOSTS} hosts`)
  if (given.length > 1 && given.includes('')) throw notUrl()
  if (!hosts) return given.map((host) => urlOf(host, [], ignored))
  const ports = valuesOf('port') ?? []
  if (ports.length > 1 && ports.length !== hosts.length) {
    throw new DatabaseUrlError(`has ${hosts.length} hosts and ${ports.length} ports`)
  }
  const replaced = new Set([...ignored, 'host', 'port'])
  return hosts.map((host, index) => {
    const port = ports.length > 1 ? ports[index] : ports[0]
    const extra = [`host=${encodeURIComponent(host)}`, ...(port ? [`port=${port}`] : [])]
    // Credentials need a host behind them, which the parameter replaces.
    return urlOf('localhost', extra, replaced)
  })
}

/** A host of a database URL for messages, without credentials. */
export function hostName(url: string): string {
  const { host, searchParams } = new URL(url)
  const port = searchParams.get('port')
  const named = searchParams.get('host')
  if (named) return port ? `${named}:${port}` : named
  return host || 'the local server'
}

/** A database URL without its passwords, for reports. */
export function shownDatabaseUrl(text: string): string {
  const [, scheme, login, authority, path, query = ''] = SHAPE.exec(text) ?? []
  const user = login?.split(':', 1)[0]
  const parameters = query.split('&').filter((one) => one !== '' && !/^(ssl)?password=/i.test(one))
  return `${scheme}${user ? `${user}@` : ''}${authority}${path}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`
}
