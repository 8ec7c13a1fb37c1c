import type { InputHTMLAttributes } from 'react'
import { cx } from './cx.ts'

type CheckboxInputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  indeterminate?: boolean
}

/** The bare input of the browser; `Checkbox` adds the label. */
export function CheckboxInput({ indeterminate = false, className, ...props }: CheckboxInputProps) {
  return (
    <input
      {...props}
      type="checkbox"
      ref={(element) => {
        if (element) element.indeterminate = indeterminate
      }}
      className={cx('check', className)}
    />
  )
}
