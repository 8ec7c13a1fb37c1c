import type { Instance } from '@steading/api/client'
import { Dialog } from 'react-aria-components/Dialog'
import type { ReactNode } from 'react'
import { RotateCcw } from 'lucide-react'
import { useInstanceParams } from '../queries.ts'
import { Tag } from '../../../ui/tag.tsx'
import { buttonClass } from '../../../ui/button.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { MenuFrame } from '../../../ui/menu-popup.tsx'
import { popup, PopupButton, type PopupProps } from '../../../ui/popup-button.tsx'
import { useNow } from '../failure.ts'
import { policyLabels, restartOutlook } from '../auto-restart.ts'

const label = 'Auto-restart status'

const sentences = {
  soon: 'This instance will automatically restart soon.',
  waiting: 'This instance will automatically restart after the cooldown period.',
  never: 'This instance will not automatically restart.',
}

const status = popup('dialog', () => Promise.resolve(AutoRestartPopup))

/** Popover beside the state of a failed instance: its restart outlook. */
export function AutoRestartPopover({ instance }: { instance: Instance }) {
  return (
    <PopupButton
      popup={status}
      content={{ instance }}
      label={label}
      tooltip={label}
      className={`${buttonClass('secondary', 'sm', true)} h-6! w-6! hover:bg-hover`}
    >
      <RotateCcw size={14} strokeWidth={1.5} aria-hidden />
    </PopupButton>
  )
}

function AutoRestartPopup({ instance, ...from }: PopupProps & { instance: Instance }) {
  return (
    <MenuFrame from={from} placement="bottom-start" className="w-72 p-0!">
      <Dialog aria-label={label} className="outline-none">
        <Status instance={instance} onLeave={from.onClose} />
      </Dialog>
    </MenuFrame>
  )
}

function Status({ instance, onLeave }: { instance: Instance; onLeave: () => void }) {
  const params = useInstanceParams()
  const { autoRestartEnabled, autoRestartPolicy, autoRestartCooldownExpiration } = instance
  const outlook = restartOutlook(instance, useNow(autoRestartEnabled))
  return (
    <>
      <dl className="flex flex-col py-1">
        <Row label="Auto Restart">{autoRestartEnabled ? 'Enabled' : 'Disabled'}</Row>
        <Row label="Policy">
          <TextLink
            to="/projects/$project/instances/$instance/settings"
            params={params}
            onClick={onLeave}
            className="no-underline!"
          >
            <Tag>{autoRestartPolicy ? policyLabels[autoRestartPolicy] : 'Default'}</Tag>
          </TextLink>
        </Row>
        {autoRestartEnabled && autoRestartCooldownExpiration && (
          <Row label="Cooldown">
            {outlook.kind === 'waiting' ? `Waiting (${outlook.duration})` : 'Restarting soon…'}
          </Row>
        )}
      </dl>
      <p className="border-t px-3 py-2 text-xs text-secondary">{sentences[outlook.kind]}</p>
    </>
  )
}

const Row = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="flex min-h-8 items-center px-3">
    <dt className="w-28 shrink-0 text-secondary">{label}</dt>
    <dd className="tabular-nums">{children}</dd>
  </div>
)
