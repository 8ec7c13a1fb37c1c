import type { IpVersion } from '@steading/api/client'
import { cidrFieldProblem, cidrVersion, transitIpUnsupported } from '@steading/api/rules'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { Banner } from '../ui/banner.tsx'
import { describedBy, FieldFrame } from '../ui/form/field.tsx'
import { MiniTable, SubFormButtons } from '../ui/form/mini-table.tsx'
import { Mono } from '../ui/text.tsx'

const examples = { v4: '192.168.0.0/16', v6: 'fd00::/64' }
const stackNames = { v4: 'IPv4', v6: 'IPv6' }

/** Why a network cannot be added to the transit IPs; undefined if it can. */
export function transitIpFieldProblem(
  text: string,
  versions: readonly IpVersion[],
  added: readonly string[],
): string | undefined {
  const problem = cidrFieldProblem(text)
  if (problem) return problem
  const version = cidrVersion(text)!
  if (!versions.includes(version)) return transitIpUnsupported(version)
  return added.includes(text) ? 'Transit IP already in list' : undefined
}

type Props = {
  /** The IP versions of the interface. */
  versions: IpVersion[]
  value: string[]
  onChange: (transitIps: string[]) => void
}

/** Networks an interface may send and receive packets of, besides its own addresses. */
export function TransitIpsField({ versions, value, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  /** Only shown from the first attempt to add on. */
  const [tried, setTried] = useState(false)
  const problem = transitIpFieldProblem(text, versions, value)
  const error = tried ? problem : undefined

  const clear = () => {
    setText('')
    setTried(false)
  }
  const add = () => {
    input.current?.focus()
    if (problem) return setTried(true)
    onChange([...value, text])
    clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    // Enter must not submit the form around it.
    event.preventDefault()
    if (text.trim()) add()
  }
  return (
    <div className="flex flex-col gap-3">
      <FieldFrame id={id} label="Transit IPs" error={error}>
        <input
          id={id}
          ref={input}
          value={text}
          autoComplete="off"
          placeholder={`An IP network, e.g., ${versions.map((each) => examples[each]).join(' or ')}`}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, undefined, error)}
          className="field-control"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
      </FieldFrame>
      <SubFormButtons
        addLabel="Add Transit IP"
        onAdd={add}
        addable={text.trim() !== ''}
        onClear={clear}
        clearable={text !== ''}
      />
      <MiniTable
        label="Transit IPs"
        columns={[
          { id: 'transit-ips', header: 'Transit IPs', cell: (ip: string) => <Mono>{ip}</Mono> },
        ]}
        items={value}
        rowKey={(ip) => ip}
        onRemove={(ip) => onChange(value.filter((each) => each !== ip))}
        removeLabel={(ip) => `remove IP ${ip}`}
      />
      <Banner>
        This network interface supports{' '}
        {versions.length > 1 ? 'both IPv4 and IPv6' : versions.map((each) => stackNames[each])}{' '}
        transit IPs.
      </Banner>
    </div>
  )
}
