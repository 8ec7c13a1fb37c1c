import { useCallback, useContext, useId, useState, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { Button as AriaButton } from 'react-aria-components/Button'
import { ComboBox, ComboBoxStateContext, Input } from 'react-aria-components/ComboBox'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import { useController, type FieldPath, type FieldValues } from 'react-hook-form'
import { ChevronsUpDown } from 'lucide-react'
import { TriggeredFrame } from '../popup-frame.tsx'
import { describedBy, FieldFrame, labelOf, type FieldProps } from './field.tsx'
import {
  FieldSign,
  noOptions,
  optionContent,
  optionClass,
  optionsFrameClass,
  useChoices,
  type ChoicesProps,
  type Option,
} from './options.tsx'

const flat = (text: string) => text.toLowerCase().replaceAll(/\s/g, '')

/** Options that contain the typed text, ignoring case and spaces, in their original order. */
export const filterOptions = (options: Option[], text: string): Option[] =>
  options.filter(({ label, found = label }) => flat(found).includes(flat(text)))

/** Opens on every click, not only on the one that brings the focus. */
function TextInput(props: { id: string; ref: Ref<HTMLInputElement>; placeholder: string }) {
  const state = useContext(ComboBoxStateContext)
  return (
    <Input
      {...props}
      autoComplete="off"
      className="field-control pe-8!"
      onClick={() => !state?.isOpen && state?.open(null, 'focus')}
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  )
}

type ComboboxFieldProps<T extends FieldValues, N extends FieldPath<T>> = FieldProps<T, N> &
  ChoicesProps & {
    /** Searches for options; the caller supplies the matches. */
    onSearch?: (text: string) => void
    /** Any text may be entered; each keystroke is stored. */
    allowCustom?: boolean
    onChange?: (value: string) => void
    /** Called when the list closes after a choice or typed text, and when the focus leaves. */
    onLeave?: () => void
  }

export function ComboboxField<T extends FieldValues, N extends FieldPath<T>>(
  props: ComboboxFieldProps<T, N>,
) {
  const { name, control, label = labelOf(name), description, tip, required = true, options } = props
  const { disabled, empty, allowCustom = false, validate, onChange, onLeave, onSearch } = props
  const hint = allowCustom ? 'Select an option or enter a custom value' : 'Select an option'
  const choices = useChoices(props)
  const placeholder = choices.placeholder ?? props.placeholder ?? hint
  const id = useId()
  const {
    field: { ref: register, ...field },
    fieldState,
  } = useController({
    name,
    control,
    rules: {
      validate: validate ?? ((value) => (required && !value ? `${label} is required` : undefined)),
    },
  })
  const error = fieldState.error?.message
  /**
   * After a failed submission the form focuses the invalid field: an open list would cover its
   * error.
   */
  const [isSent, setSent] = useState(false)
  const ref = useCallback(
    (input: HTMLInputElement | null) => {
      if (!input) return
      register({
        focus() {
          flushSync(() => setSent(true))
          input.focus()
          setSent(false)
        },
        select: () => input.select(),
        setCustomValidity: (message: string) => input.setCustomValidity(message),
        reportValidity: () => input.reportValidity(),
      })
    },
    [register],
  )
  const value: string = field.value ?? ''
  /** The last chosen option, which a later search may no longer include. */
  const [kept, setKept] = useState<Option>()
  const chosen =
    [...options, ...(kept ? [kept] : [])].find((option) => option.value === value)?.label ??
    (allowCustom ? value : '')
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? chosen

  const choose = (next: string) => {
    if (choices.act(next)) return
    setKept(options.find((option) => option.value === next))
    setTyped(null)
    onSearch?.('')
    field.onChange(next)
    onChange?.(next)
  }
  const type = (next: string) => {
    if (next === text) return
    setTyped(next)
    onSearch?.(next)
    if (allowCustom || next === '') {
      field.onChange(next)
      onChange?.(next)
    }
  }
  const matching = typed === null || onSearch ? options : filterOptions(options, typed)
  const isCustom = allowCustom && typed && !options.some((option) => option.label === typed)
  const shown = [
    ...matching,
    ...(isCustom ? [{ value: typed, label: `Custom: ${typed}` }] : []),
    ...(choices.row ? [choices.row] : []),
  ]
  const nothing = options.length === 0 && !typed && empty ? empty : 'No items match'

  return (
    <FieldFrame {...{ id, label, required, description, tip, error }}>
      <ComboBox
        aria-labelledby={`${id}-label`}
        aria-describedby={describedBy(id, description, error)}
        items={shown}
        inputValue={text}
        onInputChange={type}
        // Typed text does not count as chosen: the list would close with each key.
        value={(!(allowCustom && typed !== null) && value) || null}
        onChange={(key) => key !== null && choose(String(key))}
        // An unfinished edit reverts to the chosen item when the list closes.
        onOpenChange={(open) => {
          if (open || !document.hasFocus()) return
          setTyped(null)
          onLeave?.()
        }}
        onBlur={() => {
          field.onBlur()
          onLeave?.()
        }}
        isDisabled={disabled}
        isInvalid={Boolean(error)}
        allowsCustomValue
        allowsEmptyCollection
        menuTrigger={isSent ? 'input' : 'focus'}
      >
        <span className="relative flex">
          <TextInput id={id} ref={ref} placeholder={placeholder} />
          <AriaButton className="absolute inset-y-0 end-0 flex w-8 items-center justify-center text-tertiary">
            <FieldSign loading={choices.loading} failed={choices.failed}>
              <ChevronsUpDown size={14} strokeWidth={1.5} aria-hidden />
            </FieldSign>
          </AriaButton>
        </span>
        <TriggeredFrame className={optionsFrameClass}>
          <Virtualizer layout={ListLayout} layoutOptions={{ estimatedRowHeight: 32 }}>
            <ListBox
              className="max-h-72 overflow-y-auto outline-none"
              renderEmptyState={() => noOptions(choices.loading, nothing)}
            >
              {(option: Option) => (
                <ListBoxItem id={option.value} textValue={option.label} className={optionClass}>
                  <span className="min-w-0 flex-1">{optionContent(option)}</span>
                </ListBoxItem>
              )}
            </ListBox>
          </Virtualizer>
        </TriggeredFrame>
      </ComboBox>
    </FieldFrame>
  )
}
