/** Returns the path of an arc, drawn clockwise from one angle to another, in degrees; 0 points right. */
export function arcPath(
  centre: { readonly x: number; readonly y: number },
  radius: number,
  [from, to]: readonly [from: number, to: number],
): string {
  const [start, end] = [from, to].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return `${(centre.x + radius * Math.cos(angle)).toFixed(1)} ${(centre.y + radius * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${start} A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${end}`;
}
