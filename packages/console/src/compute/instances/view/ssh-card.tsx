/** How to reach an instance from outside: by its external address, or by ports of its host. */
import type { InstanceEndpoint, InstanceNetwork } from '@steading/api/client'
import { type NetworkNeed, notEnforcedReasons } from '@steading/api/rules'
import { usePrefetchedQuery } from '../../../data/api.ts'
import { QueryError } from '../../../page/query-error.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/column.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Table } from '../../../ui/table.tsx'
import { reachableIps } from '../external-ips.tsx'
import {
  instanceExternalIpsQuery,
  type InstanceParams,
  useInstance,
  useInstanceParams,
} from '../queries.ts'
import { hostOf, isLoopback, sshCommand, sshEndpointOf } from '../ssh-command.ts'
import { Command, NoAddress, SimulatedNote, useInstanceNetwork, useLoginUser } from './ssh.tsx'
import { Truncate } from '../../../ui/text.tsx'

type CardProps = { params: InstanceParams; user: string | undefined }

/** For engines whose external addresses lead to the instance. */
function AddressCard({ params, user }: CardProps) {
  const [address] = reachableIps(usePrefetchedQuery(instanceExternalIpsQuery(params)).data.items)
  return (
    <Card title="SSH" description="If your instance allows SSH access, connect with">
      <CardBody>
        <Command text={sshCommand({ user, host: address?.ip })} />
        {!address && <NoAddress {...params} />}
        <SimulatedNote />
      </CardBody>
    </Card>
  )
}

const endpointColumns: Column<InstanceEndpoint>[] = [
  {
    id: 'external',
    header: 'external address',
    cell: ({ externalIp }) => <span className="font-mono text-xs">{externalIp}</span>,
  },
  {
    id: 'port',
    header: 'port',
    width: 112,
    phone: 'second',
    labelled: true,
    cell: ({ protocol, port }) => `${protocol.toUpperCase()} ${port}`,
  },
  {
    id: 'host',
    header: 'reached at',
    phone: 'second',
    labelled: true,
    cell: (endpoint) => {
      const text = `${hostOf(endpoint, location.hostname)}:${endpoint.hostPort}`
      return (
        <span className="flex min-w-0 items-center gap-1">
          <Truncate text={text} className="font-mono text-xs" />
          <CopyButton text={text} />
        </span>
      )
    },
  },
]
const keyOf = ({ externalIp, protocol, port }: InstanceEndpoint): string =>
  `${externalIp} ${protocol} ${port}`

const NotEnforcedNotice = ({ needs }: { needs: readonly NetworkNeed[] }) =>
  needs.length > 0 && (
    <Banner variant="notice" title="Some firewall rules are not enforced, or not entirely">
      {needs.map((need) => (
        <p key={need}>{notEnforcedReasons[need]}</p>
      ))}
    </Banner>
  )

/** Why no port leads to SSH. */
function NoSsh({ params, behind }: { params: InstanceParams; behind: boolean }) {
  const ips = usePrefetchedQuery(instanceExternalIpsQuery(params)).data.items
  if (reachableIps(ips).length === 0) return <NoAddress {...params} />
  return (
    <p className="text-secondary">
      {behind
        ? 'The network of this instance is being applied.'
        : 'No port of the host leads to SSH: the instance has to run, and a firewall rule has to let in TCP port 22 from everywhere.'}
    </p>
  )
}

/** For engines that forward ports of the host. */
function EndpointsCard({ params, user, network }: CardProps & { network: InstanceNetwork }) {
  const { endpoints, behind } = network
  const ssh = sshEndpointOf(endpoints)
  return (
    <>
      <Card
        title="SSH"
        description={
          ssh && isLoopback(ssh) ? 'Run this on the server that hosts the instance' : 'Connect with'
        }
      >
        <CardBody>
          {ssh ? (
            <Command
              text={sshCommand({ user, host: hostOf(ssh, location.hostname), port: ssh.hostPort })}
            />
          ) : (
            <NoSsh params={params} behind={behind} />
          )}
          {ssh && behind && (
            <p className="text-secondary">A change of the network is being applied.</p>
          )}
          <NotEnforcedNotice needs={network.notEnforced} />
        </CardBody>
      </Card>
      {endpoints.length > 0 && (
        <Card
          title="Forwarded ports"
          description="Ports of the host that lead to the instance, as firewall rules permit"
        >
          <Table
            label="Forwarded ports"
            columns={endpointColumns}
            rows={endpoints}
            rowKey={keyOf}
          />
        </Card>
      )}
    </>
  )
}

export function SshCard() {
  const params = useInstanceParams()
  const user = useLoginUser(params, useInstance(params))
  const { supported, read } = useInstanceNetwork(params)
  const { data, error, refetch } = read
  if (!supported || data?.direct) return <AddressCard params={params} user={user} />
  if (data) return <EndpointsCard params={params} user={user} network={data} />
  return (
    <Card title="SSH">
      {error && (
        <CardBody>
          <QueryError error={error} onRetry={refetch} />
        </CardBody>
      )}
    </Card>
  )
}
