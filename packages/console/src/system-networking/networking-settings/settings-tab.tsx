import { FLEET_ID, type SettingName } from '@steading/api/rules'
import { Outlet } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AllowListCard } from '../allow-list/allow-list-card.tsx'
import { useReplacingAction } from '../../workspace/as-code/replacing-action.ts'
import { apiQuery, usePrefetchedQuery, whenReread } from '../../data/api.ts'
import { TabPanel } from '../../page/page-tabs.tsx'
import { connectivityTabs } from '../external-connectivity/connectivity-page.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { ConfirmedReason, useVersions } from '../../workspace/setting-versions/use-versions.tsx'
import { addToast } from '../../ui/toasts.tsx'

type SettingProps = {
  setting: SettingName
  title: string
  description: string
  enabled: boolean
  action: MenuAction
  /** Explanation of the current state. */
  children: ReactNode
}

/** A setting that is on or off for the whole rack. */
function Setting({ setting, title, description, enabled, action, children }: SettingProps) {
  const versions = useVersions(setting, { id: FLEET_ID }, true)
  return (
    <Card
      title={title}
      description={description}
      actions={<ActionButtons actions={[...versions.actions, action]} />}
    >
      {versions.panel}
      <CardBody>
        <p className="flex flex-wrap items-center gap-3">
          <StateBadge tone={enabled ? 'works' : 'off'}>
            {enabled ? 'enabled' : 'disabled'}
          </StateBadge>
          <span className="text-secondary">{children}</span>
        </p>
      </CardBody>
    </Card>
  )
}

/** Settings for all networks of the rack. */
export function NetworkingSettingsTab() {
  const { data: icmpSettings } = usePrefetchedQuery(apiQuery('networkingInboundIcmpView', {}))
  const { data: settings } = usePrefetchedQuery(apiQuery('systemNetworkingSettingsView', {}))
  const icmp = icmpSettings.enabled
  const jumbo = settings.externalJumboFramesOptInEnabled
  const setIcmp = useReplacingAction('networkingInboundIcmpUpdate', async () => {
    await whenReread()
    addToast('Settings updated')
  })
  const setJumbo = useReplacingAction('systemNetworkingSettingsUpdate', async () => {
    await whenReread()
    addToast('Settings updated')
  })
  const verb = (enabled: boolean) => (enabled ? 'Disable' : 'Enable')
  return (
    <TabPanel of={connectivityTabs} tab="Settings">
      <div className="flex flex-col gap-6 pb-6">
        <AllowListCard />
        <Setting
          setting="inbound_icmp"
          title="Inbound ICMP"
          description="Whether services of the rack answer ICMP from outside, such as pings"
          enabled={icmp}
          action={{
            label: `${verb(icmp)} inbound ICMP`,
            calls: 'networkingInboundIcmpUpdate',
            onAction: () =>
              confirmAction({
                title: `${verb(icmp)} inbound ICMP`,
                errorTitle: 'Could not change the settings',
                body: icmp
                  ? 'Pings to services of the rack are no longer answered, so monitoring by ping reports the rack as down.'
                  : 'Anyone who can reach services of the rack can ping them.',
                below: <ConfirmedReason operation="networkingInboundIcmpUpdate" />,
                ...setIcmp(
                  { body: { enabled: !icmp } },
                  { shown: icmpSettings, read: apiQuery('networkingInboundIcmpView', {}) },
                ),
              }),
          }}
        >
          {icmp ? 'Pings to services of the rack are answered.' : 'Pings are not answered.'}
        </Setting>
        <Setting
          setting="networking_settings"
          title="Jumbo frames"
          description="Whether instances may send frames of up to 8500 bytes to the outside"
          enabled={jumbo}
          action={{
            label: `${verb(jumbo)} jumbo frames`,
            calls: 'systemNetworkingSettingsUpdate',
            onAction: () =>
              confirmAction({
                title: `${verb(jumbo)} jumbo frames`,
                errorTitle: 'Could not change the settings',
                body: jumbo
                  ? 'Instances that have jumbo frames keep them. No other instance can get them.'
                  : 'Users can enable jumbo frames for their instances. The networks outside have to carry frames of 8500 bytes.',
                below: <ConfirmedReason operation="systemNetworkingSettingsUpdate" />,
                ...setJumbo(
                  { body: { externalJumboFramesOptInEnabled: !jumbo } },
                  { shown: settings, read: apiQuery('systemNetworkingSettingsView', {}) },
                ),
              }),
          }}
        >
          {jumbo
            ? 'Users can enable jumbo frames for their instances.'
            : 'Only instances that already have jumbo frames keep them.'}
        </Setting>
      </div>
      <Outlet />
    </TabPanel>
  )
}
