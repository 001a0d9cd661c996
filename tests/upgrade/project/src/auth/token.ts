export const life = 3600;
