import type { Instance, InstanceAutoRestartPolicy } from '@steading/api/client'
import { useId, type ReactNode } from 'react'
import { useWatch } from 'react-hook-form'
import { useEditForm } from '../../../forms/use-edit-form.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { useCodeView } from '../../../ui/code-view.tsx'
import { FieldFrame } from '../../../ui/form/field.tsx'
import { Listbox } from '../../../ui/form/listbox-field.tsx'
import { DateTime } from '../../../ui/time.tsx'
import { addToast, errorToast } from '../../../ui/toasts.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { autoRestartHint, autoRestartOptions, restartOutlook } from '../auto-restart.ts'
import { useNow } from '../failure.ts'
import {
  instanceUpdate,
  instanceQuery,
  showInstance,
  useInstance,
  useInstanceParams,
} from '../queries.ts'
import { InstanceSchedules } from '../../schedules/covering-schedules.tsx'
import { GroupsCard } from './groups-card.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

const DEFAULT = 'default'

type Values = { policy: InstanceAutoRestartPolicy | typeof DEFAULT }

export function AutoRestartCard() {
  const params = useInstanceParams()
  const instance = useInstance(params)
  const id = useId()
  const current = instance.autoRestartPolicy ?? DEFAULT
  const { form, ...update } = useEditForm('instanceUpdate', {
    resource: 'policy',
    read: instanceQuery(params),
    follows: true,
    valuesOf: ({ autoRestartPolicy }: Instance): Values => ({
      policy: autoRestartPolicy ?? DEFAULT,
    }),
    fields: {
      policy: {
        label: 'Policy',
        text: (policy) => autoRestartOptions.find(({ value }) => value === policy)!.label,
      },
    },
    argsOf: (values, newest) => ({
      path: { instance: params.instance },
      query: { project: params.project },
      body: instanceUpdate(newest, {
        autoRestartPolicy: values.policy === DEFAULT ? null : values.policy,
      }),
    }),
    onSuccess: (updated) => {
      showInstance(params.project, updated)
      form.reset({ policy: updated.autoRestartPolicy ?? DEFAULT })
      addToast('Instance auto-restart policy updated')
    },
    onError: ({ message }) => errorToast('Could not update auto-restart policy', message),
  })
  const policy = useWatch({ control: form.control, name: 'policy' })
  const codeView = useCodeView(() => update.code({ policy }), 'sm')
  return (
    <Card title="Auto-restart" description="The auto-restart policy for this instance">
      <div className="flex flex-col gap-5 p-4">
        <FieldFrame
          id={id}
          label="Policy"
          description={autoRestartHint}
          required
          group
          className="max-w-112"
        >
          <Listbox
            id={id}
            aria-labelledby={`${id}-label`}
            aria-describedby={`${id}-description`}
            options={autoRestartOptions}
            value={policy}
            onChange={(next) =>
              form.setValue('policy', next as typeof policy, { shouldDirty: true })
            }
          />
        </FieldFrame>
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-[max-content_max-content]">
          <Cooldown />
          <Fact
            label="Last auto-restarted"
            tip="When this instance was last restarted automatically."
          >
            {instance.timeLastAutoRestarted ? (
              <DateTime date={instance.timeLastAutoRestarted} />
            ) : (
              <NotAvailable />
            )}
          </Fact>
        </dl>
      </div>
      <div role="status" className={update.meanwhile && 'px-4 pb-4'}>
        {update.meanwhile?.notice}
      </div>
      {codeView.view && <div className="border-t">{codeView.view}</div>}
      <footer className="flex justify-between border-t bg-raised py-3 pe-4 ps-2">
        {codeView.toggle}
        <Button
          variant="primary"
          size="sm"
          disabled={policy === current}
          loading={update.loading}
          calls={update.calls}
          sends
          disabledReason={update.meanwhile?.reason}
          onClick={() => update.onSubmit({ policy })}
        >
          Save
        </Button>
      </footer>
    </Card>
  )
}

function Cooldown() {
  const instance = useInstance(useInstanceParams())
  const { runState, autoRestartEnabled, autoRestartCooldownExpiration: expiration } = instance
  const counting = runState === 'failed' && autoRestartEnabled
  const outlook = restartOutlook(instance, useNow(counting))
  return (
    <Fact
      label="Cooldown expiration"
      tip="If the instance fails before this time, its restart waits until then."
    >
      {expiration ? <DateTime date={expiration} /> : <NotAvailable />}
      {expiration && counting && (
        <span className="ms-2 text-secondary tabular-nums">
          ({outlook.kind === 'waiting' ? outlook.duration : 'restarting soon'})
        </span>
      )}
    </Fact>
  )
}

const Fact = ({ label, tip, children }: { label: string; tip: string; children: ReactNode }) => (
  <div className="flex min-w-52 flex-col gap-1">
    <dt className="flex items-center gap-1.5 font-medium">
      {label} <HelpTip>{tip}</HelpTip>
    </dt>
    <dd>{children}</dd>
  </div>
)

const NotAvailable = () => <span className="text-tertiary">N/A</span>

export function InstanceSettingsTab() {
  const params = useInstanceParams()
  const { id } = useInstance(params)
  return (
    <TabPanel of={instanceTabs} tab="Settings">
      <GroupsCard kind="anti_affinity_group" />
      <GroupsCard kind="affinity_group" />
      <AutoRestartCard />
      <InstanceSchedules project={params.project} instance={id} />
    </TabPanel>
  )
}
