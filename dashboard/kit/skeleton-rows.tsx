import { Bone, Skeleton } from '../../widgets/kit/feedback/states.tsx'

/** Rows that load: a bone of each width, and one of width `second` beside it. */
export function SkeletonRows({
  widths,
  second,
  className = 'skeleton-row',
}: {
  widths: readonly string[]
  second?: string
  className?: string
}) {
  return (
    <Skeleton>
      {widths.map((width) => (
        <div className={className} key={width}>
          <Bone width={width} />
          {second && <Bone width={second} />}
        </div>
      ))}
    </Skeleton>
  )
}
