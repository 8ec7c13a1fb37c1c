import { useCapability } from '../../../data/capabilities.ts'
import { useInstanceParams } from '../queries.ts'
import { SerialConsoleCliCommand } from '../../serial-console/cli-command.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'
import { SshCard } from './ssh-card.tsx'

export function ConnectTab() {
  const params = useInstanceParams()
  const hasScreen = useCapability('display')
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
      {hasScreen && (
        <Card
          title="Screen"
          description="See the screen of your instance, and use its keyboard and mouse"
          actions={
            <LinkButton
              to="/projects/$project/instances/$instance/display"
              params={params}
              variant="primary"
              size="sm"
              aria-label="Connect to the screen"
            >
              Connect
            </LinkButton>
          }
        />
      )}
      <SshCard />
    </TabPanel>
  )
}
