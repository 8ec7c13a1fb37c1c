import { usePrefetchedQuery } from '../../../data/api.ts'
import { reachableIps } from '../external-ips.tsx'
import { instanceExternalIpsQuery, useInstanceParams } from '../queries.ts'
import { SerialConsoleCliCommand } from '../../serial-console/cli-command.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Card, CardBody } from '../../../ui/card.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

export function ConnectTab() {
  const params = useInstanceParams()
  return (
    <TabPanel of={instanceTabs} tab="Connect">
      <Card
        title="Serial console"
        description="Connect to your instance’s serial console"
        actions={
          <>
            <SerialConsoleCliCommand {...params} size="sm" />
            <LinkButton
              to="/projects/$project/instances/$instance/serial-console"
              params={params}
              variant="primary"
              size="sm"
            >
              Connect
            </LinkButton>
          </>
        }
      />
      <SshCard />
    </TabPanel>
  )
}

function SshCard() {
  const params = useInstanceParams()
  const [address] = reachableIps(usePrefetchedQuery(instanceExternalIpsQuery(params)).data.items)
  const command = `ssh [username]@${address?.ip ?? '[external IP]'}`
  return (
    <Card title="SSH" description="If your instance allows SSH access, connect with">
      <CardBody>
        <div className="flex min-w-0 items-center gap-1 self-start rounded-control border bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 font-mono text-xs wrap-anywhere">{command}</code>
          <CopyButton text={command} />
        </div>
        {!address && (
          <p className="text-secondary">
            This instance has no external IP address. You can add one on the{' '}
            <TextLink to="/projects/$project/instances/$instance/networking" params={params}>
              networking
            </TextLink>{' '}
            tab.
          </p>
        )}
      </CardBody>
    </Card>
  )
}
