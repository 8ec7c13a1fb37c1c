import { useController, useForm } from 'react-hook-form'
import { Banner } from '../../ui/banner.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { countOf } from '../../ui/list-controls/count-text.ts'
import { addToast } from '../../ui/toasts.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import { rulesMeanwhile } from './meanwhile-notice.tsx'
import { compareRules, moved, reorder } from './order.ts'
import { RulesPlan } from './rules-plan.tsx'
import { RuleOrder } from './rule-order.tsx'
import { changed, type Rule, setPriorities } from './rules.ts'
import { replacementCode, RULES_UPDATE, useRulesUpdate } from './update.ts'
import { useBase } from './use-base.ts'
import { noun } from './labels.ts'
import { ReasonField } from '../../forms/reason-field.tsx'

type Props = {
  params: VpcParams
  /** The rule to move, which gets the focus. */
  about?: string
  onDismiss: () => void
}

const namesOf = (rules: readonly Rule[]) => rules.map(({ name }) => name)

/** The rules in order of evaluation. */
const sorted = (rules: readonly Rule[]) => rules.toSorted(compareRules)

/** Reorders rules by changing their priorities, in a single update. */
export function OrderForm({ params, about, onDismiss }: Props) {
  const base = useBase(params)
  const rules = sorted(base.rules.rules)
  const form = useForm({ defaultValues: { order: namesOf(rules) } })
  const { field } = useController({ control: form.control, name: 'order' })
  const { mutate, isPending, isSuccess, error } = useRulesUpdate(params, () => {
    addToast('Order of firewall rules updated')
    onDismiss()
  })
  const settled = !isPending && !isSuccess

  const old = new Map(rules.map(({ name, priority }) => [name, priority]))
  /** The new priorities for an order, by the name of the rule. */
  const prioritiesIn = (order: string[]) =>
    new Map(
      reorder(rules, order).flatMap(({ name, priority }) =>
        old.get(name) === priority ? [] : [[name, priority] as const],
      ),
    )
  const proposed = (order: string[]) => changed(base.rules, setPriorities(prioritiesIn(order)))
  const ordered = reorder(rules, field.value)
  const count = prioritiesIn(field.value).size
  const adopt = (newest: readonly Rule[]) => {
    const priorities = prioritiesIn(field.value)
    const next = newest.map((rule) => ({
      ...rule,
      priority: priorities.get(rule.name) ?? rule.priority,
    }))
    field.onChange(namesOf(sorted(next)))
  }
  return (
    <SideModalForm
      form={form}
      formType="edit"
      resource="order"
      title="Change order of rules"
      submitLabel="Update order"
      calls={RULES_UPDATE}
      loading={isPending}
      submitError={error}
      meanwhile={settled ? rulesMeanwhile({ base, onAdopt: adopt }) : undefined}
      submitDisabledReason={count === 0 && 'No rule has been moved'}
      code={({ order }) => replacementCode(params, proposed(order))}
      onSubmit={({ order }) => mutate({ from: base.rules, to: proposed(order) })}
      onDismiss={onDismiss}
    >
      <Banner>
        Rules are tried from the top; the first one that matches decides. Drag a rule, or move it
        with its buttons or with <kbd>Alt</kbd> and the arrow keys.
      </Banner>
      <output className="text-secondary">
        {count === 0
          ? 'No priority is changed'
          : `${countOf(noun, count)} will get another priority`}
      </output>
      <RuleOrder
        ordered={ordered}
        old={old}
        about={about}
        onMove={(name, to) => {
          if (to >= 0 && to < ordered.length) field.onChange(moved(field.value, name, to))
        }}
      />
      <RulesPlan params={params} rules={proposed(field.value)} />
      {error && <p className="text-red-text">{error.message}</p>}
      <ReasonField operation={RULES_UPDATE} />
    </SideModalForm>
  )
}
