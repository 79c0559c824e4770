// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ERC20} from '@openzeppelin/contracts/token/ERC20/ERC20.sol';
import {ERC20Permit} from '@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol';

/// A stand-in for USD Coin: six decimals and `permit` (ERC-2612). Anyone can mint.
contract Usdc is ERC20Permit {
    constructor() ERC20('USD Coin', 'USDC') ERC20Permit('USD Coin') {}

    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @param amount in millionths of a dollar
    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }
}
