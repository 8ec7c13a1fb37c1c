import { describe, expect, it } from 'vitest'
import { itemReachedBy } from '../src/ui/popup-keys.ts'

const labels = ['Copy ID', 'Start', 'Stop', 'Delete']
const after = (...keys: string[]) => itemReachedBy(labels, keys)

describe('keys pressed before a menu had the focus', () => {
  it('reach no item without keys', () => {
    expect(after()).toEqual({ index: -1, chosen: false })
    expect(itemReachedBy([], ['ArrowDown', 'Enter'])).toEqual({ index: -1, chosen: false })
  })

  it('move between items, wrapping around', () => {
    expect(after('ArrowDown').index).toBe(0)
    expect(after('ArrowUp').index).toBe(3)
    expect(after('ArrowDown', 'ArrowDown', 'ArrowDown').index).toBe(2)
    expect(after('ArrowUp', 'ArrowDown').index).toBe(0)
    expect(after('End').index).toBe(3)
    expect(after('ArrowUp', 'Home').index).toBe(0)
  })

  it('find an item by its first letters', () => {
    expect(after('ArrowDown', 's').index).toBe(1)
    expect(after('ArrowDown', 's', 't', 'o').index).toBe(2)
    expect(after('ArrowDown', 'C', 'o', 'p', 'y', ' ', 'i').index).toBe(0)
    expect(after('ArrowDown', 'x').index).toBe(0)
  })

  it('choose an item, after which further keys are ignored', () => {
    expect(after('ArrowDown', 'ArrowDown', 'Enter', 'ArrowDown')).toEqual({
      index: 1,
      chosen: true,
    })
    expect(after('ArrowDown', ' ')).toEqual({ index: 0, chosen: true })
    expect(after('Enter')).toEqual({ index: -1, chosen: false })
  })
})
