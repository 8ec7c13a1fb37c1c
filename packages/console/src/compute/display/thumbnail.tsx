import type { Instance } from '@steading/api/client'
import { instanceCan } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { messageOf } from '../../data/errors.ts'
import { tooltip } from '../../ui/tooltip.tsx'
import type { InstanceParams } from '../instances/queries.ts'
import { screenshotQuery } from './screen.ts'

/** Whether any part of an element is in view. */
function useInView(element: RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver((entries) =>
      setInView(entries.at(-1)?.isIntersecting === true),
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return inView
}

/** Draws a picture; the page may show no images by address but its own. */
function usePicture(canvas: RefObject<HTMLCanvasElement | null>, picture: Blob | undefined): void {
  useEffect(() => {
    if (!picture) return
    let replaced = false
    void createImageBitmap(picture).then(
      (bitmap) => {
        const target = canvas.current
        if (!target || replaced) return
        target.width = bitmap.width
        target.height = bitmap.height
        target.getContext('2d')!.drawImage(bitmap, 0, 0)
        bitmap.close()
      },
      // The previous picture stays.
      () => {},
    )
    return () => {
      replaced = true
    }
  }, [canvas, picture])
}

type Props = { params: InstanceParams; instance: Pick<Instance, 'runState'> }

/** The screen of a running instance in small, which leads to the screen itself. */
export function ScreenThumbnail({ params, instance }: Props) {
  const has = useCapability('display')
  if (!has || !instanceCan('display', instance.runState)) return null
  return <Thumbnail {...params} />
}

function Thumbnail(params: InstanceParams) {
  const link = useRef<HTMLAnchorElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const inView = useInView(link)
  const { data, error, isPending } = useQuery({ ...screenshotQuery(params), enabled: inView })
  usePicture(canvas, data)
  return (
    <Link
      ref={link}
      to="/projects/$project/instances/$instance/display"
      params={params}
      aria-label="Screen"
      {...tooltip(error ? `The screen could not be read: ${messageOf(error)}` : 'Open the screen')}
      className="relative flex min-h-36 min-w-0 items-center justify-center overflow-hidden rounded-card border bg-sunken text-xs text-tertiary hover:border-line-strong"
    >
      <canvas
        ref={canvas}
        aria-hidden
        className="absolute inset-0 size-full object-contain"
        hidden={!data}
      />
      {!data && (error ? 'The screen could not be read' : isPending && 'Reading the screen')}
    </Link>
  )
}
