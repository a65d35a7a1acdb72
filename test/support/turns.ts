// Turns of the event loop, by which a test sees that long work leaves some to others.

/** Counts the turns from now on. @returns a function that ends it and answers how many there were */
export function countTurns(): () => number {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  return () => {
    isOver = true;
    return turns;
  };
}
