import type { SettingVersionContents } from '@steading/api/client'
import { type SettingDifference, settingDifferences, type SettingName } from '@steading/api/rules'
import { Minus, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { formatNumber } from '../../ui/number.ts'
import { itemNoun, propertyLabels, settingOf, valueLabels } from './labels.ts'
import { rowsOf } from './property-rows.ts'

type Items = SettingVersionContents['items']

const contentsOf = (items: Items) => Object.fromEntries(items.map(({ key, value }) => [key, value]))

/** Differences that are shown at first, of up to two thousand. */
const SHOWN = 50

const looks = {
  added: { word: 'Added', icon: Plus, className: 'text-green-text' },
  changed: { word: 'Changed', icon: Pencil, className: 'text-amber-text' },
  removed: { word: 'Removed', icon: Minus, className: 'text-red-text' },
} as const

type Props = { setting: SettingName; before: Items; after: Items }

export const differencesOf = ({ before, after }: Pick<Props, 'before' | 'after'>) =>
  settingDifferences(contentsOf(before), contentsOf(after))

/** The difference of two contents: each part with a word, an icon and a colour. */
export function Difference({ setting, before, after }: Props) {
  const [all, setAll] = useState(false)
  const found = differencesOf({ before, after })
  if (found.length === 0) return <p className="text-secondary">They do not differ.</p>
  const names = new Map(
    [...before, ...after].flatMap(({ key, name }) => (name === null ? [] : [[key, name] as const])),
  )
  const shown = all ? found : found.slice(0, SHOWN)
  return (
    <>
      <ul aria-label="Differences" className="flex flex-col gap-3">
        {shown.map((one) => (
          <Part key={one.key} setting={setting} name={names.get(one.key)} difference={one} />
        ))}
      </ul>
      {shown.length < found.length && (
        <Button size="sm" className="self-start" onClick={() => setAll(true)}>
          Show all {formatNumber(found.length)} {itemNoun(setting, found.length)}
        </Button>
      )}
    </>
  )
}

type PartProps = { setting: SettingName; name: string | undefined; difference: SettingDifference }

function Part({ setting, name, difference }: PartProps) {
  const { key, change } = difference
  const { word, icon: Icon, className } = looks[change]
  const isItem = settingOf(setting).items !== undefined
  const text = (value: unknown, property: string) => (
    <span className="wrap-anywhere">{valueLabels(value, property)}</span>
  )
  return (
    <li className="flex flex-col gap-1 border-s-2 border-line-strong ps-3">
      <span className="flex flex-wrap items-center gap-x-2">
        <span className={cx('inline-flex items-center gap-1', className)}>
          <Icon size={14} strokeWidth={2} aria-hidden />
          {word}
        </span>
        <span className="min-w-0 font-medium wrap-anywhere">
          {name ?? (isItem ? key : propertyLabels(key))}
        </span>
      </span>
      <dl className="flex flex-col gap-0.5 text-secondary">
        {rowsOf(setting, difference).map(({ label, property, before, after }) => (
          <div key={property} className="flex flex-wrap gap-x-2">
            {label && <dt className="text-tertiary">{label}</dt>}
            <dd className="min-w-0">
              {change === 'added' && text(after, property)}
              {change === 'removed' && <s className="wrap-anywhere">{text(before, property)}</s>}
              {change === 'changed' && (
                <>
                  <s className="text-tertiary">{text(before, property)}</s>
                  <span className="sr-only"> is now</span> <span aria-hidden>→</span>{' '}
                  <span className="text-primary">{text(after, property)}</span>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
