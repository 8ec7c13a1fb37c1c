import type { VpcFirewallRuleProtocol, VpcFirewallRuleTarget } from '@steading/api/client'
import {
  DEFAULT_RULE_PRIORITY,
  firewallSentence,
  generatedRuleName,
  NO_PRIORITY_LEFT,
  type OneLine,
  parseService,
  placeAfterLast,
  type ServicePreset,
  servicePresets,
  ruleOfOneLine,
  sourceMismatch,
} from '@steading/api/rules'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { Plus } from 'lucide-react'
import { projectInstancesQuery } from '../../compute/instances/queries.ts'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import type { ApiError } from '../../data/errors.ts'
import { readingOf } from '../../data/reads.ts'
import { useDraft } from '../../forms/use-draft.tsx'
import { Button } from '../../ui/button.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import type { Option } from '../../ui/form/options.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { vpcSubnetsQuery } from '../subnets/queries.ts'
import type { VpcParams } from '../vpcs/queries.ts'
import { NotEnforcedNotice } from './not-enforced.tsx'
import { type End, readEnd, sourceEnds, targetEnds } from './one-line-ends.ts'
import { handedOver, type RulePrefill } from './prefill.ts'
import { changed, type Rules, type RuleUpdate } from './rules.ts'
import { changeRules, RULES_UPDATE } from './update.ts'
import { isFull } from './use-rule-actions.tsx'
import { Truncate } from '../../ui/text.tsx'

type Values = { service: string; source: string; target: string }

const blank: Values = { service: '', source: '', target: '' }

const optionOf = (value: string, label: string, detail = ''): Option => ({
  value,
  label,
  found: `${label} ${detail}`,
  content: (
    <span className="flex items-center gap-3">
      <Truncate text={label} className="flex-1" />
      <span className="text-xs text-secondary">{detail}</span>
    </span>
  ),
})
const services = servicePresets.map(({ label, detail }: ServicePreset) =>
  optionOf(label, label, detail),
)
const optionsOf = (ends: End[]) =>
  ends.map(({ value, label, detail }) => optionOf(value, label, detail))

/** The rule of a line, named and placed among these rules. */
function ruleOf(line: OneLine, rules: readonly RuleUpdate[]): RuleUpdate | undefined {
  const { priority } = placeAfterLast(rules, 'inbound')
  if (priority === undefined) return undefined
  const taken = new Set(rules.map(({ name }) => name))
  const { targets, filters, ...parts } = ruleOfOneLine(line)
  return {
    ...parts,
    name: generatedRuleName(line.service, line.source, line.target, taken),
    description: '',
    priority,
    targets: targets as VpcFirewallRuleTarget[],
    filters: {
      hosts: filters.hosts as VpcFirewallRuleTarget[],
      ports: filters.ports,
      protocols: filters.protocols as VpcFirewallRuleProtocol[],
    },
  }
}

/** Values with which the full form begins, including text that was not understood. */
function prefillOf(values: Values, read: Read, rules: Rules): RulePrefill {
  const { service, source, target } = read
  const { priority } = placeAfterLast(rules.rules, 'inbound')
  const line = read.line && ruleOf(read.line, rules.rules)
  const refused = 'refused' in source ? source.refused?.host : undefined
  return {
    name: line?.name ?? '',
    // That of the last rule, if no priority is left.
    priority: priority ?? DEFAULT_RULE_PRIORITY - 1,
    targets: 'end' in target ? [target.end.host as VpcFirewallRuleTarget] : [],
    hosts: 'end' in source && source.end.host ? [source.end.host as VpcFirewallRuleTarget] : [],
    ports: 'service' in service ? service.service.ports : [],
    protocols: 'service' in service ? (service.service.protocols as VpcFirewallRuleProtocol[]) : [],
    targetEntry:
      'end' in target || !values.target ? undefined : { type: 'instance', value: values.target },
    hostEntry:
      'end' in source || !values.source
        ? undefined
        : (refused ?? { type: 'ip_net', value: values.source }),
    portEntry: 'service' in service || !values.service ? undefined : { port: values.service },
  }
}

type Read = {
  service: ReturnType<typeof parseService>
  source: ReturnType<typeof readEnd>
  target: ReturnType<typeof readEnd>
  /** Why the traffic never comes from the source. */
  mismatch?: string
  /** Undefined while something is missing or not understood. */
  line?: OneLine
}

function readLine(values: Values, sources: End[], targets: End[]): Read {
  const service = parseService(values.service)
  const source = readEnd(values.source, sources, 'source')
  const target = readEnd(values.target, targets, 'target')
  if (!('service' in service) || !('end' in source)) return { service, source, target }
  const mismatch = sourceMismatch(service.service, source.end.host)
  if (mismatch || !('end' in target)) return { service, source, target, mismatch }
  return {
    service,
    source,
    target,
    line: { service: service.service, source: source.end.host, target: target.end.host! },
  }
}

const problemIn = (read: object) => ('problem' in read ? (read.problem as string) : undefined)

type Props = { params: VpcParams; rules: Rules }

/** Adds a rule in one line: “Allow SSH from 203.0.113.7 to web-1”, after the other rules. */
export function OneLineEditor({ params, rules }: Props) {
  const { project, vpc } = params
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: blank })
  const { control, getValues } = form
  const values = useWatch({ control }) as Values
  const [added, setAdded] = useState(0)
  const draft = useDraft(form, `line of firewall rules in ${project}/${vpc}`, {
    without: [],
    done: false,
  })

  const instances = useQuery(projectInstancesQuery(project))
  const subnets = useQuery(vpcSubnetsQuery(params))
  const { data: own } = useQuery(
    apiQuery('currentUserAddressView', {}, { enabled: useCapability('ownAddress') }),
  )
  const names = useMemo(
    () => ({
      vpc,
      subnets: subnets.data?.items.map(({ name }) => name) ?? [],
      instances: instances.data?.items.map(({ name }) => name) ?? [],
    }),
    [vpc, subnets.data, instances.data],
  )
  const sources = sourceEnds(names, own)
  const targets = targetEnds(names)
  const read = readLine(values, sources, targets)
  const { line } = read
  const rule = line && ruleOf(line, rules.rules)

  const { mutate, isPending, error } = useMutation<string, ApiError | Error, OneLine>({
    async mutationFn(sent) {
      let name = ''
      // Named and placed anew if others have changed the rules meanwhile.
      await changeRules(params, (before) => {
        const added = ruleOf(sent, before)
        if (!added) throw new Error(NO_PRIORITY_LEFT)
        name = added.name
        return [...before, added]
      })
      return name
    },
    onSuccess(name) {
      doneToast('Firewall rule', name, 'created')
      draft.discard()
      setAdded((count) => count + 1)
    },
  })
  // After the emptied fields have been drawn, which would open the list of a focused one.
  useEffect(() => {
    if (added > 0) form.setFocus('service')
  }, [form, added])
  const used = handedOver.useValue()
  useEffect(() => {
    if (used > 0) draft.discard()
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per rule of the full form
  }, [used])

  const moreOptions = () =>
    void navigate({
      to: '/projects/$project/vpcs/$vpc/firewall-rules-new',
      params: { project, vpc },
      state: { firewallRule: prefillOf(values, read, rules) },
    })
  const field = { control, allowCustom: true } as const
  const ends = { ...field, ...readingOf(instances, subnets) }
  const again = () => readLine(getValues(), sources, targets)
  /** Tells at once why a finished text cannot be used, and no longer once it can be. */
  const checked = (name: keyof Values) => ({
    name,
    onLeave: () => void (getValues(name).trim() && form.trigger(name)),
    onChange: () => void (form.getFieldState(name).error && form.trigger(name)),
  })
  const full = isFull(rules)
  return (
    <form
      aria-label="New rule in one line"
      autoComplete="off"
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) =>
        void form.handleSubmit(() => {
          const sent = again().line
          if (sent) mutate(sent)
        })(event)
      }
    >
      {/* The effect on connections has a heading below it. */}
      <h2 className="sr-only">New rule in one line</h2>
      <div className="flex items-start gap-3 max-lg:flex-wrap">
        <div className="grid min-w-0 flex-1 gap-3 max-lg:basis-full sm:grid-cols-3">
          <ComboboxField
            {...checked('service')}
            label="Allow"
            {...field}
            placeholder="SSH, 8080 …"
            options={services}
            validate={() => problemIn(again().service)}
          />
          <ComboboxField
            {...checked('source')}
            label="From"
            {...ends}
            placeholder="Anywhere …"
            options={optionsOf(sources)}
            validate={() => problemIn(again().source) ?? again().mismatch}
          />
          <ComboboxField
            {...checked('target')}
            label="To"
            {...ends}
            placeholder="Instance …"
            options={optionsOf(targets)}
            validate={() => problemIn(again().target)}
          />
        </div>
        <div className="flex shrink-0 gap-2 max-lg:ms-auto lg:mt-[26px]">
          <Button
            type="submit"
            icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
            calls={RULES_UPDATE}
            disabledReason={full || (line && !rule && NO_PRIORITY_LEFT)}
            loading={isPending}
          >
            Add rule
          </Button>
          <Button variant="ghost" calls={RULES_UPDATE} disabledReason={full} onClick={moreOptions}>
            More options
          </Button>
        </div>
      </div>
      <output className="min-h-5 wrap-anywhere text-secondary">
        <Preview
          read={read}
          rule={rule}
          rules={rules}
          isTold={form.formState.errors.source !== undefined}
        />
      </output>
      {error && (
        <p role="alert" className="wrap-anywhere text-red-text">
          {error.message}
        </p>
      )}
      {rule && (
        <>
          <NotEnforcedNotice rule={rule} />
          <PlannedChanges
            change={{
              query: params,
              body: {
                type: 'firewall_rules',
                update: { rules: changed(rules, (before) => [...before, rule]) },
              },
            }}
          />
        </>
      )}
    </form>
  )
}

type PreviewProps = {
  read: Read
  rule: RuleUpdate | undefined
  rules: Rules
  /** The field of the source says already why it cannot be used. */
  isTold: boolean
}

/** The effect of the rule, or the reason why an input cannot be used. */
function Preview({ read, rule, rules, isTold }: PreviewProps) {
  const { source, line, mismatch } = read
  if (rule) {
    const { after } = placeAfterLast(rules.rules, 'inbound')
    return (
      <>
        <span className="text-primary">{firewallSentence(rule)}</span>. Priority {rule.priority}
        {after ? `, after ${after}` : ''}, named {rule.name}.
      </>
    )
  }
  if (line) return NO_PRIORITY_LEFT
  if (isTold) return null
  if (mismatch) return mismatch
  // A chosen address that cannot be used is told at once, other text once it is complete.
  if ('problem' in source && source.refused) return source.problem
  return 'The rule is added after the others, and works at once.'
}
