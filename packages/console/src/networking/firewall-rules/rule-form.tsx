import {
  docsPages,
  FIREWALL_PRIORITY_MAX,
  firewallActionNames,
  firewallSentence,
  RULE_NAME_TAKEN,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { BrickWallShield } from 'lucide-react'
import { useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { usePrefetchedOnce } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { DraftNotice, useDraft } from '../../forms/use-draft.tsx'
import { withEntry } from '../../forms/list-entry.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { DocsLink } from '../../ui/docs-links.tsx'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import { Banner } from '../../ui/banner.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { CheckboxField, RadioField } from '../../ui/form/choice-fields.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { projectVpcsQuery, type VpcParams, firewallRulesQuery } from '../vpcs/queries.ts'
import { hostList, HostsField } from './hosts-field.tsx'
import { handedOver, type RulePrefill } from './prefill.ts'
import { rulesMeanwhile } from './meanwhile-notice.tsx'
import { NotEnforcedNotice } from './not-enforced.tsx'
import { portList, PortsField } from './ports-field.tsx'
import { protocolList, ProtocolsField } from './protocols-field.tsx'
import { RulesPlan } from './rules-plan.tsx'
import { addRule, type Change, changed, replaceRule, type Rule, type RuleUpdate } from './rules.ts'
import { replacementCode, RULES_UPDATE, useRulesUpdate } from './update.ts'
import { useBase } from './use-base.ts'
import { directionNames, unrestricted } from './labels.ts'
import { ReasonField } from '../../forms/reason-field.tsx'
import { Truncate } from '../../ui/text.tsx'

type Values = Omit<RuleUpdate, 'status' | 'filters'> & {
  enabled: boolean
  targetEntry: (typeof hostList)['blank']
  hosts: NonNullable<RuleUpdate['filters']['hosts']>
  hostEntry: (typeof hostList)['blank']
  ports: NonNullable<RuleUpdate['filters']['ports']>
  portEntry: (typeof portList)['blank']
  protocols: NonNullable<RuleUpdate['filters']['protocols']>
  protocolEntry: (typeof protocolList)['blank']
}

const noEntries = {
  targetEntry: hostList.blank,
  hostEntry: hostList.blank,
  portEntry: portList.blank,
  protocolEntry: protocolList.blank,
}

const blank: Values = {
  ...noEntries,
  enabled: true,
  name: '',
  description: '',
  action: 'allow',
  direction: 'inbound',
  priority: 0,
  targets: [],
  hosts: [],
  ports: [],
  protocols: [],
}

const valuesOf = ({ status, filters, ...rule }: RuleUpdate): Values => ({
  ...noEntries,
  enabled: status === 'enabled',
  name: rule.name,
  description: rule.description,
  action: rule.action,
  direction: rule.direction,
  priority: rule.priority,
  targets: rule.targets,
  hosts: filters.hosts ?? [],
  ports: filters.ports ?? [],
  protocols: filters.protocols ?? [],
})

/** The rule in the form, including entries typed but not added. */
const ruleOf = (values: Values): RuleUpdate => ({
  name: values.name,
  description: values.description,
  action: values.action,
  direction: values.direction,
  priority: values.priority,
  status: values.enabled ? 'enabled' : 'disabled',
  targets: withEntry(hostList, values.targets, values.targetEntry),
  filters: {
    hosts: withEntry(hostList, values.hosts, values.hostEntry),
    ports: withEntry(portList, values.ports, values.portEntry),
    protocols: withEntry(protocolList, values.protocols, values.protocolEntry),
  },
})

const choicesIn = <Words extends Record<string, string>>(words: Words) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

function useRuleParams(): VpcParams & { rule?: string } {
  const { project, vpc, rule } = useParams({ strict: false })
  return { project: project!, vpc: vpc!, rule }
}

/** The values for a rule from the editor in one line. */
function prefilled({ targetEntry, hostEntry, portEntry, ...given }: RulePrefill): Values {
  return {
    ...blank,
    ...given,
    targetEntry: targetEntry ?? blank.targetEntry,
    hostEntry: hostEntry ?? blank.hostEntry,
    portEntry: portEntry ?? blank.portEntry,
  }
}

/** The form for a new rule, which may start as a copy, or with the rule of the editor in one line. */
export function RuleCreateForm() {
  const params = useRuleParams()
  const now = useRouterState({ select: ({ location }) => location.state.firewallRule })
  const [given] = useState(now)
  const { rules } = usePrefetchedOnce(firewallRulesQuery(params))
  const original = rules.find(({ name }) => name === params.rule)
  const initial = original
    ? { ...valuesOf(original), name: `${original.name}-copy` }
    : given
      ? prefilled(given)
      : blank
  return (
    <RuleForm
      params={params}
      initial={initial}
      draftId={
        given
          ? 'firewall rule of the line'
          : `firewall rule${original ? ` like ${original.name}` : ''}`
      }
      done="created"
      onDone={given && (() => handedOver.set(handedOver.get() + 1))}
      changeOf={addRule}
    />
  )
}

export function RuleEditForm() {
  const params = useRuleParams()
  const { rules } = usePrefetchedOnce(firewallRulesQuery(params))
  // The loader has ensured that it exists. Others may delete it while it is edited.
  const rule = rules.find(({ name }) => name === params.rule)!
  return (
    <RuleForm
      params={params}
      initial={valuesOf(rule)}
      edited={rule}
      draftId={`firewall rule ${rule.name}`}
      done="updated"
      changeOf={(next) => replaceRule(rule.name, next)}
    />
  )
}

type Props = {
  params: VpcParams
  initial: Values
  /** The rule before the change. */
  edited?: Rule
  draftId: string
  done: string
  /** Called once the rule is saved. */
  onDone?: () => void
  changeOf: (rule: RuleUpdate) => Change
}

function RuleForm({ params, initial, edited, draftId, done, onDone, changeOf }: Props) {
  const { project, vpc } = params
  const navigate = useNavigate()
  const base = useBase(params)
  const form = useForm<Values>({ defaultValues: initial })
  const { control } = form
  const leave = () =>
    void navigate({ to: '/projects/$project/vpcs/$vpc/firewall-rules', params: { project, vpc } })
  const { mutate, isPending, isSuccess, error } = useRulesUpdate(params, (sent) => {
    doneToast('Firewall rule', sent.at(-1)!.name, done)
    onDone?.()
    leave()
  })
  const draft = useDraft(form, `${draftId} in ${project}/${vpc}`, { without: [], done: isSuccess })
  const dismiss = () => {
    draft.discard()
    leave()
  }
  // The event of this change may arrive before its response.
  const settled = !isPending && !isSuccess
  const proposed = (values: Values) => changed(base.rules, changeOf(ruleOf(values)))

  const byName = ({ name }: { name: string }) => ({ value: name, label: name })
  const vpcs = useQuery(projectVpcsQuery(project))
  const subnets = useQuery(vpcSubnetsQuery(params))
  const instances = useQuery(projectInstancesQuery(project))
  const choices = {
    vpc: choicesOf(vpcs, byName),
    subnet: choicesOf(subnets, byName),
    instance: choicesOf(instances, byName),
  }
  const nameTaken = (name: string) =>
    base.rules.rules.some((rule) => rule.name === name && rule.name !== edited?.name)
      ? RULE_NAME_TAKEN
      : undefined

  return (
    <SideModalForm
      form={form}
      formType="edit"
      meanwhile={settled ? rulesMeanwhile({ base, own: edited?.name }) : undefined}
      resource="rule"
      title={edited ? 'Edit rule' : 'Add firewall rule'}
      submitLabel={edited ? 'Update rule' : 'Add rule'}
      subtitle={
        edited && (
          <>
            <BrickWallShield size={16} strokeWidth={1.5} aria-hidden />
            <Truncate text={edited.name} />
          </>
        )
      }
      calls={RULES_UPDATE}
      loading={isPending}
      submitError={error}
      code={(values) => replacementCode(params, proposed(values))}
      onSubmit={(values) => {
        const save = () => mutate({ from: base.rules, to: proposed(values) })
        const remarks = unrestricted(ruleOf(values), edited)
        if (remarks.length === 0) return save()
        confirmAction({
          title: edited ? 'Update rule' : 'Add rule',
          body: (
            <>
              {remarks.map((remark) => (
                <p key={remark}>{remark}</p>
              ))}
              <p>Are you sure you want to save it?</p>
            </>
          ),
          errorTitle: 'Could not save rule',
          calls: RULES_UPDATE,
          // The form itself shows the pending state and errors.
          action: async () => save(),
        })
      }}
      onDismiss={dismiss}
    >
      <DraftNotice {...draft} />
      {edited && (
        <PropertiesTable>
          <PropertiesTable.IdRow id={edited.id} />
          <PropertiesTable.DateRow date={edited.timeCreated} label="Created" />
          <PropertiesTable.DateRow date={edited.timeModified} label="Updated" />
        </PropertiesTable>
      )}
      <Banner>
        Firewall rules allow or deny traffic to and from instances. Without rules, inbound traffic
        is denied and outbound traffic is allowed.{' '}
        <DocsLink page={docsPages.firewallRules}>More about firewall rules</DocsLink>
      </Banner>
      <NotEnforced control={control} />
      <CheckboxField name="enabled" control={control}>
        Enabled
      </CheckboxField>
      <NameField control={control} validate={nameTaken} />
      <DescriptionField control={control} />
      <RadioField
        name="action"
        label="Action"
        control={control}
        items={choicesIn(firewallActionNames)}
      />
      <RadioField
        name="direction"
        label="Direction of traffic"
        description="Inbound traffic goes to the targets, outbound traffic comes from them."
        control={control}
        items={choicesIn(directionNames)}
      />
      <NumberField
        name="priority"
        label="Priority"
        description={`From 0 to ${FIREWALL_PRIORITY_MAX}. Rules with lower numbers win.`}
        control={control}
      />
      <hr className="border-line" />
      <HostsField section="targets" choices={choices} />
      <hr className="border-line" />
      <div className="flex flex-col gap-4">
        <h3 className="text-base font-semibold">Filters</h3>
        <Banner>
          Filters narrow down the traffic that the rule applies to. A rule without filters applies
          to all traffic of its targets. With filters of several kinds, traffic has to match at
          least one of each kind.
        </Banner>
        <PortsField />
        <ProtocolsField />
      </div>
      <hr className="border-line" />
      <HostsField section="hosts" choices={choices} />
      <hr className="border-line" />
      <InWords control={control} />
      <RulePlan control={control} params={{ project, vpc }} proposed={proposed} />
      {error && <p className="text-red-text">{error.message}</p>}
      <ReasonField operation={RULES_UPDATE} />
    </SideModalForm>
  )
}

type RulePlanProps = {
  control: Control<Values>
  params: VpcParams
  /** The rules of the VPC, including the one in the form. */
  proposed: (values: Values) => RuleUpdate[]
}

/**
 * Connections the rule in the form would open and close. The name has no effect, so it is left out,
 * and typing it sends no new request.
 */
function RulePlan({ control, params, proposed }: RulePlanProps) {
  const values = useWatch({ control }) as Values
  const priority = Number.isNaN(values.priority) ? 0 : values.priority
  const rules =
    ruleOf(values).targets.length > 0
      ? proposed({ ...values, name: 'the-rule-of-the-form', description: '', priority })
      : undefined
  return <RulesPlan params={params} rules={rules} />
}

/** The rule in the form as a sentence. */
const InWords = ({ control }: { control: Control<Values> }) => (
  <output aria-label="The rule in words" className="font-medium wrap-anywhere">
    {firewallSentence(ruleOf(useWatch({ control }) as Values))}
  </output>
)

/** Whether the engine enforces the rule in the form. */
const NotEnforced = ({ control }: { control: Control<Values> }) => (
  <NotEnforcedNotice rule={ruleOf(useWatch({ control }) as Values)} />
)
