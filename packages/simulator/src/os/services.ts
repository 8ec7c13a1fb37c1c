/** Listening ports of a simulated guest. */
import { Base64Error, decodeBase64, type MachineSpec } from '@steading/control-plane/ports'

const SSH = 22

/**
 * Ports of packages that user data may install; also with a version suffix, like `postgresql-16`.
 */
const packages: Record<string, readonly number[]> = {
  apache2: [80, 443],
  bind9: [53],
  caddy: [80, 443],
  'clickhouse-server': [8123, 9000],
  dnsmasq: [53],
  grafana: [3000],
  haproxy: [80, 443],
  httpd: [80, 443],
  'mariadb-server': [3306],
  memcached: [11_211],
  'mysql-server': [3306],
  'nfs-kernel-server': [2049],
  nginx: [80, 443],
  opensearch: [9200],
  postgresql: [5432],
  prometheus: [9090],
  'rabbitmq-server': [5672],
  'redis-server': [6379],
  valkey: [6379],
}

/** Packages installed by a cloud-config. */
function installed(userData: string): string[] {
  const lines = userData.split('\n')
  if (!lines[0]?.startsWith('#cloud-config')) return []
  const begin = lines.findIndex((line) => line.startsWith('packages:'))
  if (begin < 0) return []
  const inline = /^packages:\s*\[(.*)\]/.exec(lines[begin]!)
  if (inline) return inline[1]!.split(',').map((name) => name.trim())
  const rest = lines.slice(begin + 1)
  const end = rest.findIndex((line) => /^[^\s#-]/.test(line))
  return rest
    .slice(0, end < 0 ? undefined : end)
    .flatMap((line) => /^\s*-\s*['"]?([\w.+-]+)/.exec(line)?.[1] ?? [])
}

function userDataOf({ userData }: MachineSpec): string {
  try {
    return new TextDecoder().decode(decodeBase64(userData))
  } catch (error) {
    if (error instanceof Base64Error) return ''
    throw error
  }
}

/** Listening ports of a guest's services: SSH, and the packages of its user data. */
export function servicePorts(spec: MachineSpec): ReadonlySet<number> {
  const ports = [SSH]
  for (const name of installed(userDataOf(spec))) {
    const known = Object.keys(packages).find((one) => name === one || name.startsWith(`${one}-`))
    if (known) ports.push(...packages[known]!)
  }
  return new Set(ports)
}
