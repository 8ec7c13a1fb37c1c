import { useInstanceParams } from '../queries.ts'
import { SerialConsoleCliCommand } from '../../serial-console/cli-command.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'
import { SshCard } from './ssh-card.tsx'

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
