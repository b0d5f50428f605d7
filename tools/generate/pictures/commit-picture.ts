// What a commit writes, and what a walk that began before it keeps reading.
import { arrow, box, dashed, label, picture } from './svg.ts'

export function commitPicture(): string {
  return picture(
    { width: 740, height: 330 },
    'A batch becomes one transaction: replaced objects go to history, new ones to current, the clock goes from version 24 to 25. A walk at version 24 reads current and history.',
    [
      label({ x: 16, y: 28 }, 'A commit: completely, or not at all', { size: 'title' }),
      box({ x: 16, y: 120, width: 120, height: 60 }, ['A batch', 'puts and deletes']),
      arrow({ x: 136, y: 150 }, { x: 166, y: 150 }),
      box({ x: 168, y: 120, width: 130, height: 60 }, ['The service', 'checks every line']),
      arrow({ x: 298, y: 150 }, { x: 346, y: 150 }),
      '<rect x="348" y="48" width="210" height="266" rx="8" class="box"/>',
      label({ x: 453, y: 70 }, 'one transaction', { anchor: 'middle', size: 'small' }),
      box({ x: 364, y: 82, width: 178, height: 46 }, ['clock: 24 becomes 25'], 'strong'),
      box({ x: 364, y: 138, width: 178, height: 46 }, ['history', 'what it replaces or deletes']),
      box({ x: 364, y: 194, width: 178, height: 46 }, ['current', 'what is put']),
      box({ x: 364, y: 250, width: 178, height: 46 }, ['commits', 'counts, time, receipt']),
      arrow({ x: 542, y: 105 }, { x: 598, y: 105 }),
      box({ x: 600, y: 78, width: 124, height: 54 }, ['A new walk', 'at version 25'], 'good'),
      arrow({ x: 542, y: 161 }, { x: 598, y: 205 }),
      arrow({ x: 542, y: 217 }, { x: 598, y: 213 }),
      box({ x: 600, y: 182, width: 124, height: 54 }, ['A walk before it', 'stays at version 24'], 'good'),
      dashed({ x: 16, y: 260 }, { x: 330, y: 260 }),
      label({ x: 16, y: 284 }, 'If anything fails, nothing of it is there.', { size: 'small' }),
      label({ x: 16, y: 304 }, 'Sent again with the same key, it is applied once.', { size: 'small' }),
    ],
  )
}
