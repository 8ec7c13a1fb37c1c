import { FIREWALL_RULES_MAX, firewallSentence } from '@steading/api/rules'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { confirmAction, confirmDelete, showCode } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { Strong } from '../../ui/text.tsx'
import { addToast, errorToast } from '../../ui/toasts.tsx'
import { pathTo } from '../../data/addresses.ts'
import { ConfirmedReason } from '../../workspace/setting-versions/use-versions.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { type Change, changed, removeRules, type Rule, type Rules, setStatus } from './rules.ts'
import { changeRules, replacementCode, RULES_UPDATE } from './update.ts'

/** Why no rule can be added; false if one can. */
export const isFull = ({ rules }: Rules): string | false =>
  rules.length >= FIREWALL_RULES_MAX &&
  `A VPC has at most ${formatNumber(FIREWALL_RULES_MAX)} firewall rules`

/** Rules that the question before a deletion tells; the others are counted. */
const TOLD = 8

const base = '/projects/$project/vpcs/$vpc'

/** The actions of firewall rules, for one or for several at once in a single update. */
export function useRuleActions(
  params: VpcParams,
  read: Rules | undefined,
  onOrder: (rule: Rule) => void,
) {
  const code = (change: Change) => () => replacementCode(params, read ? changed(read, change) : [])
  /** Connections that a change opens and closes. */
  const below = (change: Change) =>
    read && (
      <div className="flex flex-col gap-3">
        <PlannedChanges
          change={{
            query: params,
            body: { type: 'firewall_rules', update: { rules: changed(read, change) } },
          }}
        />
        <ConfirmedReason operation={RULES_UPDATE} />
      </div>
    )
  const run = (change: Change, errorTitle: string, done?: () => void) =>
    changeRules(params, change).then(done, (error: unknown) =>
      errorToast(errorTitle, error instanceof Error ? error.message : String(error)),
    )

  const toggle = ({ name, status }: Rule): MenuAction[] => {
    const to = status === 'enabled' ? 'disabled' : 'enabled'
    const verb = to === 'enabled' ? 'Enable' : 'Disable'
    const change = setStatus(new Set([name]), to)
    return [
      {
        label: verb,
        calls: RULES_UPDATE,
        onAction: () => void run(change, `Could not ${verb.toLowerCase()} firewall rule`),
      },
      {
        label: `${verb} as code`,
        local: true,
        onAction: () => showCode({ title: `${verb} ${name}`, code: code(change) }),
      },
    ]
  }
  const ofRule = (rule: Rule): MenuAction[] => {
    const { name } = rule
    const remove = removeRules(new Set([name]))
    const [enable, asCode] = toggle(rule)
    return [
      {
        label: 'Edit',
        calls: RULES_UPDATE,
        href: pathTo(`${base}/firewall-rules/$rule/edit`, { ...params, rule: name }),
      },
      {
        label: 'Clone',
        calls: RULES_UPDATE,
        disabledReason: read && isFull(read),
        href: pathTo(`${base}/firewall-rules-new/$rule`, { ...params, rule: name }),
      },
      enable!,
      { label: 'Change order', calls: RULES_UPDATE, onAction: () => onOrder(rule) },
      asCode!,
      {
        label: 'Delete',
        danger: true,
        calls: RULES_UPDATE,
        onAction: () =>
          confirmDelete({
            kind: 'firewall rule',
            name,
            extra: `${firewallSentence(rule)}.`,
            below: below(remove),
            calls: RULES_UPDATE,
            code: code(remove),
            action: () => changeRules(params, remove),
          }),
      },
    ]
  }

  const ofSeveral = (rules: Rule[], onDone: () => void): MenuAction[] => {
    const names = new Set(rules.map(({ name }) => name))
    const count = `${formatNumber(names.size)} firewall ${names.size === 1 ? 'rule' : 'rules'}`
    const turn = (label: string, to: Rule['status']): MenuAction => ({
      label,
      calls: RULES_UPDATE,
      disabledReason: rules.every(({ status }) => status === to) && `They are ${to} already`,
      onAction: () =>
        void run(setStatus(names, to), `Could not ${label.toLowerCase()} firewall rules`, () => {
          addToast(`${count} ${to}`)
          onDone()
        }),
    })
    const remove = removeRules(names)
    return [
      turn('Enable', 'enabled'),
      turn('Disable', 'disabled'),
      {
        label: 'Delete',
        danger: true,
        calls: RULES_UPDATE,
        onAction: () =>
          confirmAction({
            title: 'Delete firewall rules',
            body: (
              <>
                <p>
                  Are you sure you want to delete{' '}
                  {rules.length === 1 ? <Strong>{rules[0]!.name}</Strong> : count}?
                </p>
                <ul className="mt-2 flex flex-col gap-1">
                  {rules.slice(0, TOLD).map((rule) => (
                    <li key={rule.name} className="wrap-anywhere">
                      <Strong>{rule.name}</Strong>: {firewallSentence(rule)}
                    </li>
                  ))}
                  {rules.length > TOLD && <li>and {formatNumber(rules.length - TOLD)} more</li>}
                </ul>
              </>
            ),
            below: below(remove),
            errorTitle: 'Could not delete firewall rules',
            danger: true,
            calls: RULES_UPDATE,
            code: code(remove),
            action: async () => {
              await changeRules(params, remove)
              addToast(`${count} deleted`)
              onDone()
            },
          }),
      },
    ]
  }
  return { ofRule, ofSeveral }
}
